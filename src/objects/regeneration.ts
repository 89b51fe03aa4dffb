import { Type, type Static } from 'typebox';
import { ADDED_EVENTS_SHOWN_MAX } from '../domain/invoice/invoice-changes.ts';
import { ErrorDetail } from './error.ts';
import { InvoiceComparison } from './invoice-comparison.ts';
import { LINE_TYPES } from '../domain/lines/line-type.ts';
import { DiscountOfLine, InvoiceObject, ItemOfLine, SERIES } from './invoice.ts';
import { identity, nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

/** A request to replace an invoice (contract.md 4). */
export const RegenerationObject = responseObject('Regeneration', {
  ...identity('regeneration'),
  status: oneOf(['pending', 'done', 'refused']),
  invoice_id: Type.String(),
  new_invoice_id: nullable(Type.String()),
  reason: nullable(Type.String()),
  refusal: nullable(Type.String({ description: 'The reason of the refusal.' })),
  details: nullable(
    Type.Array(ErrorDetail, { description: 'Those of the error; null unless a billing rule refused it.' }),
  ),
  requested_at: ResponseInstant,
  finished_at: nullable(ResponseInstant),
});
export type Regeneration = Static<typeof RegenerationObject>;

const LineName = responseObject('LineName', {
  type: oneOf(LINE_TYPES),
  charge_id: nullable(Type.String()),
  ...SERIES,
  invoice_item: nullable(ItemOfLine),
  discounts: Type.Array(DiscountOfLine),
  event_name: nullable(Type.String()),
  period_start: ResponseInstant,
  period_end: ResponseInstant,
});

/** The changes that regenerating an invoice would make. */
export const RegenerationPreview = responseObject('RegenerationPreview', {
  object: Type.Literal('regeneration_preview'),
  current: InvoiceObject,
  proposed: InvoiceObject,
  changes: Type.Array(
    responseObject('Change', {
      line_item: nullable(LineName),
      field: Type.String(),
      before: nullable(Type.String()),
      after: nullable(Type.String()),
    }),
  ),
  comparison: {
    ...InvoiceComparison,
    description: 'The proposed invoice, whose id is null here, beside the current one.',
  },
  events_added: Type.Array(
    responseObject('AddedEvents', {
      charge_id: Type.String(),
      ...SERIES,
      period_start: ResponseInstant,
      count: Type.Integer(),
      event_ids: Type.Array(Type.String(), {
        description: `The newest events, at most ${ADDED_EVENTS_SHOWN_MAX}.`,
      }),
    }),
  ),
});
export type RegenerationPreview = Static<typeof RegenerationPreview>;
