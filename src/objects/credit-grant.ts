import { Type, type Static } from 'typebox';
import { ResponseInstant, responseObject, identity, nullable, oneOf } from './parts.ts';

export const LedgerEntry = responseObject('LedgerEntry', {
  type: oneOf(['granted', 'drawn', 'returned', 'expired', 'voided']),
  amount: Type.Number({ description: 'Signed. The sum of all entries is the remaining credit.' }),
  invoice_id: nullable(Type.String()),
  line_item_id: nullable(Type.String()),
  created_at: ResponseInstant,
});

/** Terms of a grant as it was ordered: what it covers. */
const TERMS = {
  rollover: Type.Boolean(),
  event_names: nullable(
    Type.Array(Type.String(), { description: 'The events whose charges it covers; null: all.' }),
  ),
  subscription_id: nullable(Type.String({ description: 'The subscription that it covers; null: all.' })),
  note: nullable(Type.String()),
};

/** contract.md 5: amounts are JSON numbers, in units of usage. */
export const GrantObject = responseObject('CreditGrant', {
  ...identity('credit_grant'),
  customer_id: Type.String(),
  amount: Type.Number(),
  remaining: Type.Number(),
  status: oneOf(['active', 'depleted', 'expired', 'voided']),
  expires_at: nullable(ResponseInstant),
  ...TERMS,
  carry_over_max: nullable(
    Type.Number({ description: 'Units that may cover usage of the next full period, of a grant of a plan.' }),
  ),
  carry_over_until: nullable(ResponseInstant),
  ledger: Type.Array(LedgerEntry),
});
export type CreditGrant = Static<typeof GrantObject>;

/** A grant as it would be now: neither id nor ledger. */
export const GrantPreview = responseObject('CreditGrantPreview', {
  object: Type.Literal('credit_grant_preview'),
  livemode: Type.Boolean(),
  customer_id: Type.String(),
  amount: Type.Number(),
  expires_at: nullable(ResponseInstant),
  last_day: nullable(
    Type.String({
      description:
        'The last day in `timezone` whose usage it covers, in full or until `expires_at`; null as long as that is not known, or for ever.',
    }),
  ),
  timezone: Type.String({ description: 'Time zone of the customer.' }),
  ...TERMS,
});
export type GrantPreview = Static<typeof GrantPreview>;
