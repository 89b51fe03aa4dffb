import { Type, type Static } from 'typebox';
import { CAUSES } from '../domain/comparison/cause.ts';
import { COMPARED_KINDS } from '../domain/comparison/comparison.ts';
import { SERIES } from './invoice.ts';
import { nullable, oneOf, ResponseDecimal, responseObject } from './parts.ts';

const OF_OTHER = 'Of the other invoice.';

/** contract.md 4: an invoice beside another one; differences are of this one less the other. */
export const InvoiceComparison = responseObject('InvoiceComparison', {
  object: Type.Literal('invoice_comparison'),
  invoice_id: nullable(Type.String({ description: 'Null for an invoice that is not made yet.' })),
  with_invoice_id: Type.String(),
  currency: Type.String(),
  total: ResponseDecimal,
  with_total: { ...ResponseDecimal, description: OF_OTHER },
  difference: ResponseDecimal,
  lines: Type.Array(
    responseObject('ComparedLine', {
      title: Type.String(),
      kind: oneOf(COMPARED_KINDS),
      event_name: nullable(Type.String()),
      group: SERIES.group,
      amount: ResponseDecimal,
      with_amount: { ...ResponseDecimal, description: OF_OTHER },
      difference: ResponseDecimal,
      quantity: nullable({
        ...ResponseDecimal,
        description: 'Without late usage; null if the invoice has no other line of it.',
      }),
      with_quantity: nullable({ ...ResponseDecimal, description: OF_OTHER }),
      causes: Type.Array(responseObject('CausedAmount', { cause: oneOf(CAUSES), amount: ResponseDecimal }), {
        description: 'They add up to `difference`; none is zero.',
      }),
    }),
    { description: 'The greatest difference first, of either sign; the tax last.' },
  ),
});
export type InvoiceComparison = Static<typeof InvoiceComparison>;
