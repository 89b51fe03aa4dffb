import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { NOTHING, rational, times } from '../../support/oracles/price-oracle.ts';
import { carryOverUntil, expiryOf } from '../model/expiries.ts';
import { remainingOf } from '../model/giving.ts';
import { decimalText } from '../model/usage.ts';
import type { Grant, World } from '../model/world.ts';

/** Grants as the API shows them, or should, with positions in lists instead of ids. */

type Fields = Record<string, unknown>;

/** A grant as the API should show it. */
export function expectedGrant(world: World, grant: Grant): Fields {
  const drawn = world.invoices.flatMap(({ moved }, place) => {
    const amount = decimalText(moved.get(grant) ?? NOTHING);
    return amount === '0' ? [] : [`${amount} by invoice ${place}`];
  });
  const { amount, rollover, event_names, note, created_at, subscription, carry_over_max } = grant;
  return {
    amount: decimalText(amount),
    remaining: decimalText(remainingOf(world, grant)),
    ...{ rollover, note, created_at, drawn },
    event_names: event_names?.toSorted() ?? null,
    subscription: subscription === null ? null : world.subscriptions.indexOf(subscription),
    carry_over_max: carry_over_max && decimalText(carry_over_max),
    ...timesOf({
      status: statusOf(world, grant),
      expires_at: expiryOf(grant),
      carry_over_until: carryOverUntil(grant),
      is_bound: subscription !== null,
    }),
    has_early_write_off: false,
  };
}

/** Void, used up, past its expiry, or none of these. */
function statusOf(world: World, grant: Grant): string {
  if (grant.is_voided) return 'voided';
  if (remainingOf(world, grant).n === 0n) return 'depleted';
  const expires_at = expiryOf(grant);
  return expires_at !== null && expires_at <= world.now ? 'expired' : 'active';
}

type Times = {
  status: string;
  expires_at: string | null;
  carry_over_until: string | null;
  is_bound: boolean;
};

/**
 * The fields that the documents leave open are left out: the times of a grant that is void with its period, and whether what is carried
 * over is active or expired.
 */
function timesOf({ status, expires_at, carry_over_until, is_bound }: Times): Fields {
  if (status === 'voided' && is_bound) return { status };
  const is_carried = carry_over_until !== null && carry_over_until !== expires_at;
  return {
    status: is_carried && status === 'expired' ? 'active' : status,
    expires_at,
    carry_over_until,
  };
}

type Ids = { invoices: readonly string[]; subscriptions: readonly string[] };

/** A grant of the API. */
export function observedGrant({ invoices, subscriptions }: Ids, grant: Json): Fields {
  const sum = (entries: Json[]) => total(entries.map(({ amount }) => amount));
  assert.equal(total([grant.remaining]), sum(grant.ledger), 'the ledger sums up to what remains');
  const drawn = invoices.flatMap((invoice_id, place) => {
    const amount = sum(grant.ledger.filter((entry: Json) => entry.invoice_id === invoice_id));
    return amount === '0'
      ? []
      : [`${decimalText(times(rational(amount), rational('-1')))} by invoice ${place}`];
  });
  const { status, rollover, created_at, expires_at } = grant;
  const is_voided = status === 'voided';
  // Written-off credit counts as remaining, because a correction may still use it. A voided grant has nothing left to write off.
  const remaining = sum(grant.ledger.filter(({ type }: Json) => is_voided || type !== 'expired'));
  const [carry_over_max, carry_over_until] = [grant.carry_over_max ?? null, grant.carry_over_until ?? null];
  const subscription_id = grant.subscription_id ?? null;
  const last = carry_over_until ?? expires_at;
  return {
    ...{ amount: total([grant.amount]), remaining },
    ...{ rollover, note: grant.note ?? null, created_at, drawn },
    event_names: grant.event_names?.toSorted() ?? null,
    subscription: subscription_id === null ? null : subscriptions.indexOf(subscription_id),
    carry_over_max: carry_over_max === null ? null : decimalText(rational(`${carry_over_max}`)),
    ...timesOf({
      status: withoutWriteOff(status, remaining),
      ...{ expires_at, carry_over_until, is_bound: subscription_id !== null },
    }),
    has_early_write_off: grant.ledger.some(
      (entry: Json) => entry.type === 'expired' && (last === null || entry.created_at < last),
    ),
  };
}

/** A grant that had nothing left to write off is used up. */
function withoutWriteOff(status: string, remaining: string): string {
  return status === 'expired' && remaining === '0' ? 'depleted' : status;
}

/** Exact sum of numbers with at most 6 decimals. */
function total(amounts: readonly number[]): string {
  const millionths = amounts.reduce((sum, amount) => sum + Math.round(amount * 1e6), 0);
  return decimalText({ n: BigInt(millionths), d: 1_000_000n });
}
