import { Type, type Static } from 'typebox';
import { INVOICE_ITEM_STATUSES } from '../domain/lines/invoice-item.ts';
import { identity, nullable, oneOf, ResponseDecimal, responseObject } from './parts.ts';

/** contract.md 4. */
export const InvoiceItemObject = responseObject('InvoiceItem', {
  ...identity('invoice_item'),
  status: oneOf(INVOICE_ITEM_STATUSES, {
    description:
      '`pending`: on no invoice, or on a draft. `invoiced`: on an issued invoice that is not void.',
  }),
  customer_id: Type.String(),
  subscription_id: Type.String(),
  currency: Type.String(),
  description: Type.String(),
  quantity: ResponseDecimal,
  unit_amount: ResponseDecimal,
  amount: { ...ResponseDecimal, description: 'Quantity times unit amount, rounded once.' },
  invoice_id: nullable(Type.String({ description: 'The invoice that it is on, a draft too.' })),
  created_by: Type.String({ description: 'The key or the person that made it.' }),
  split_from: nullable(
    Type.String({
      description:
        'The item whose rest this is: of an item below zero an invoice takes the part that fits. It stays when that item is deleted.',
    }),
  ),
});
export type InvoiceItem = Static<typeof InvoiceItemObject>;
