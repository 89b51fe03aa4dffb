import { isLess, rational, times, type Rational } from '../../support/oracles/price-oracle.ts';
import { voidGrant } from './grants.ts';
import { fullPeriodFrom } from './periods.ts';
import { least } from './usage.ts';
import {
  later,
  lengthOf,
  note,
  type FullPeriod,
  type Instant,
  type PlanGrant,
  type Subscription,
  type World,
} from './world.ts';

/** Grants of plans (billing.md 4): each full period has each of them once. */

const DAY_MS = 86_400_000;

/** Begins the full period of an instant, and makes the grants of its plan; returns it. */
export function beginPeriod(world: World, subscription: Subscription, start: Instant): FullPeriod {
  const full_period = fullPeriodFrom(subscription, start);
  subscription.full_periods.push(full_period);
  for (const terms of full_period.plan.grants) makePlanGrant(world, { subscription, full_period, terms });
  return full_period;
}

type Making = { subscription: Subscription; full_period: FullPeriod; terms: PlanGrant };

function makePlanGrant(world: World, { subscription, full_period, terms }: Making): void {
  const { event_names, expires, carry_over_max } = terms;
  const { start } = full_period;
  const amount = amountFor(full_period, terms);
  if (amount.n === 0n) return note(world, 'share of a grant of nothing');
  const ends_with_period = expires === 'period_end';
  world.grants.push({
    ...{ amount, created_at: start, event_names, subscription, note: null },
    expires_at: ends_with_period ? null : later(start, expires.days * DAY_MS),
    rollover: !ends_with_period,
    is_expiry_final: true,
    is_voided: false,
    carry_over_max: carry_over_max === null ? null : carriedOf(rational(carry_over_max), { terms, amount }),
    origin: { subscription, full_period, ends_with_period },
  });
  note(world, `grant of a plan, ${ends_with_period ? 'to the end of the period' : 'for some days'}`);
  if (isLess(amount, rational(terms.amount))) note(world, 'share of a grant for a short period');
  if (start < world.now) note(world, 'grant of a plan made in the past');
}

/** The amount of a grant for a full period: of one that is short as it begins its share, in whole units, if it is prorated. */
function amountFor({ start, interval }: FullPeriod, { amount, prorate }: PlanGrant): Rational {
  const whole = rational(amount);
  if (!prorate || start === interval.start) return whole;
  const left_ms = BigInt(lengthOf({ start, end: interval.end }));
  const { n, d } = times(whole, { n: left_ms, d: BigInt(lengthOf(interval)) });
  return { n: n / d, d: 1n };
}

/** The most that is carried over: of a prorated grant at most its share. */
function carriedOf(most: Rational, { terms, amount }: { terms: PlanGrant; amount: Rational }): Rational {
  return terms.prorate ? least(most, amount) : most;
}

/** Voids the grants of a period that an exchange of the plan, or an end, takes out at its start. */
export function voidGrantsOf(world: World, full_period: FullPeriod): void {
  for (const grant of world.grants)
    if (grant.origin?.full_period === full_period && voidGrant(grant))
      note(world, 'grant of a plan void with its period');
}
