import { Type } from 'typebox';
import { AnsweredInstant, answerObject, identity, nullable, oneOf } from './parts.ts';

const LedgerEntry = answerObject('LedgerEntry', {
  type: oneOf(['granted', 'drawn', 'returned', 'expired', 'voided']),
  amount: Type.Number({ description: 'Signed; the sum of all is what remains.' }),
  invoice_id: nullable(Type.String()),
  line_item_id: nullable(Type.String()),
  created_at: AnsweredInstant,
});

/** contract.md 5: amounts are JSON numbers, in units of usage. */
export const GrantObject = answerObject('CreditGrant', {
  ...identity('credit_grant'),
  customer_id: Type.String(),
  amount: Type.Number(),
  remaining: Type.Number(),
  status: oneOf(['active', 'depleted', 'expired', 'voided']),
  expires_at: nullable(AnsweredInstant),
  rollover: Type.Boolean(),
  ledger: Type.Array(LedgerEntry),
});
