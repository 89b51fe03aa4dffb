import { Type, type Static } from 'typebox';
import { BALANCE_ENTRY_TYPES } from '../domain/invoice/balance-entry.ts';
import { identity, nullable, oneOf, ResponseDecimal, responseObject } from './parts.ts';

/** A movement of a customer's balance (contract.md 4). */
export const BalanceEntryObject = responseObject('BalanceEntry', {
  ...identity('balance_entry'),
  customer_id: Type.String(),
  type: oneOf(BALANCE_ENTRY_TYPES, {
    description:
      '`credit_note`: a credit note, or its void. `adjustment`: by hand. `applied`: to an invoice. `returned`: by the void of an invoice. ' +
      '`overpayment`: a payment above what was due, or its reversal. `deposit`: a payment in advance, or its reversal. ' +
      '`unapplied`: no longer applied to an invoice, because the payment that gave it was reversed, or the credit note void.',
  }),
  currency: Type.String(),
  amount: { ...ResponseDecimal, description: 'Signed: what it adds to the balance.' },
  reason: nullable(Type.String()),
  invoice_id: nullable(Type.String()),
  credit_note_id: nullable(Type.String()),
  payment_id: nullable(Type.String()),
  created_by: nullable(
    Type.String({ description: 'The key or the person that caused it; null for what billing itself does.' }),
  ),
});
export type BalanceEntry = Static<typeof BalanceEntryObject>;
