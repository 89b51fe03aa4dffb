import { Type, type Static } from 'typebox';
import { CREDIT_NOTE_STATUSES } from '../domain/invoice/credit-note.ts';
import { Automatic, BilledCustomer, Seller, SENT_AT, Tax, Timezone } from './invoice.ts';
import { identity, nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';

const AMOUNTS = {
  subtotal: ResponseDecimal,
  tax: Tax,
  total: ResponseDecimal,
  to_invoice: { ...ResponseDecimal, description: 'What it takes off what is due on the invoice.' },
  to_balance: { ...ResponseDecimal, description: "What it adds to the customer's balance." },
  outside: { ...ResponseDecimal, description: 'What you pay back outside of Tidemark.' },
};

const CreditNoteLine = responseObject('CreditNoteLine', {
  line_item_id: Type.String(),
  description: Type.String(),
  amount: { ...ResponseDecimal, description: 'Net.' },
});

/** contract.md 4. */
export const CreditNoteObject = responseObject('CreditNote', {
  ...identity('credit_note'),
  number: Type.String(),
  status: oneOf(CREDIT_NOTE_STATUSES),
  automatic: Automatic,
  invoice_id: Type.String(),
  invoice_number: Type.String(),
  customer_id: Type.String(),
  currency: Type.String(),
  timezone: Timezone,
  lines: Type.Array(CreditNoteLine),
  ...AMOUNTS,
  reason: Type.String({ description: 'As the document prints it.' }),
  issued_at: ResponseInstant,
  sent_at: nullable({ ...ResponseInstant, description: SENT_AT }),
  created_by: nullable(
    Type.String({ description: 'The key or the person that issued it; null for an automatic one.' }),
  ),
  voided_at: nullable(ResponseInstant),
  void_reason: nullable(Type.String()),
  voided_by: nullable(Type.String()),
  seller: { ...Seller, description: 'Of the invoice.' },
  customer: { ...BilledCustomer, description: 'Of the invoice.' },
});
export type CreditNote = Static<typeof CreditNoteObject>;

/** A credit note as it would be now: no number, no state. */
export const CreditNotePreview = responseObject('CreditNotePreview', {
  object: Type.Literal('credit_note_preview'),
  livemode: Type.Boolean(),
  invoice_id: Type.String(),
  customer_id: Type.String(),
  currency: Type.String(),
  lines: Type.Array(CreditNoteLine),
  ...AMOUNTS,
});
export type CreditNotePreview = Static<typeof CreditNotePreview>;
