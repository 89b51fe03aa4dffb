import { Type, type Static } from 'typebox';
import { ResponseInstant, responseObject, identity, nullable, oneOf } from './parts.ts';

export const LedgerEntry = responseObject('LedgerEntry', {
  type: oneOf(['granted', 'drawn', 'returned', 'expired', 'voided']),
  amount: Type.Number({ description: 'Signed. The sum of all entries is the remaining credit.' }),
  invoice_id: nullable(Type.String()),
  line_item_id: nullable(Type.String()),
  created_at: ResponseInstant,
});

/** contract.md 5: amounts are JSON numbers, in units of usage. */
export const GrantObject = responseObject('CreditGrant', {
  ...identity('credit_grant'),
  customer_id: Type.String(),
  amount: Type.Number(),
  remaining: Type.Number(),
  status: oneOf(['active', 'depleted', 'expired', 'voided']),
  expires_at: nullable(ResponseInstant),
  rollover: Type.Boolean(),
  event_names: nullable(
    Type.Array(Type.String(), { description: 'The events whose charges it covers; null: all.' }),
  ),
  subscription_id: nullable(Type.String({ description: 'The subscription that it covers; null: all.' })),
  note: nullable(Type.String()),
  carry_over_max: nullable(
    Type.Number({ description: 'Units that may cover usage of the next full period, of a grant of a plan.' }),
  ),
  carry_over_until: nullable(ResponseInstant),
  ledger: Type.Array(LedgerEntry),
});
export type CreditGrant = Static<typeof GrantObject>;
