import { firstPeriod, periodAfter, type Period } from '../../domain/time/period.ts';
import {
  changesAt,
  endBefore,
  firstSchedule,
  planOfPeriod,
  scheduleAt,
  type PlanSchedule,
} from '../../domain/subscription/plan-phase.ts';
import type { Db } from '../connection/pool.ts';
import { CUSTOMER_NOW } from '../customers/customer-now.ts';
import { IS_LEFT_OUT, IS_OF_PERIOD } from '../subscriptions/periods.ts';
import { PLAN_SCHEDULE } from '../subscriptions/plan-changes.ts';
import { bySql, byCode, codePart, type CheckOptions, type Fault, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/** SQL: periods that ended more than five minutes ago and have no invoice, of those that `which` selects. */
function unbilled(which: string): string {
  return `select format('period of subscription %s from %s to %s', s.id, p.period_start, p.period_end) as "row",
         case when p.closed_at is null then 'has ended but is still open'
           else 'was closed but has no invoice' end as what
       from periods p
       join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       where ${which} and greatest(p.period_end, s.created_at) < ${CUSTOMER_NOW} - interval '5 minutes'
         and s.attention is null and c.test_clock_target is null and not ${IS_LEFT_OUT}
         and not exists (select from invoices i where ${IS_OF_PERIOD})`;
}

/** SQL: periods that began more than five minutes ago, and whose beginning is not worked off. */
const UNOPENED = `select format('period of subscription %s from %s', s.id, p.period_start) as "row",
         'has begun, but its fees in advance are not worked off' as what
       from periods p
       join subscriptions s on s.environment_id = p.environment_id and s.id = p.subscription_id
       join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
       where p.opened_at is null and greatest(p.period_start, s.created_at) < ${CUSTOMER_NOW} - interval '5 minutes'
         and s.attention is null and c.test_clock_target is null and not ${IS_LEFT_OUT}`;

/** Continuity of a subscription's periods, and that they are billed. */
export const PERIOD_INVARIANTS = [
  byCode(
    'I11',
    'The periods of a subscription follow each other without gaps from its start, each with the plan of its time, at the boundaries of its anchor and where a plan changes, until the open period or its end, at which its days for late usage begin.',
    [codePart('subscription', brokenChains)],
  ),
  // A subscription that starts in the past has ended periods when it is created, so its age counts from the creation.
  bySql(
    'I12',
    'Five minutes after its end, a period has an invoice, unless it was a trial, its invoice is void, or the subscription needs attention; five minutes after its start its fees in advance are worked off.',
    {
      subscription: [
        unbilled(`p.environment_id = unit.environment_id and p.subscription_id = unit.id
         and p.closed_at is not null and p.kind = 'billing'`),
      ],
      // What time alone breaches, found by the indexes of open periods and of drafts.
      database: [
        unbilled('p.closed_at is null'),
        UNOPENED,
        `select format('invoice %s', i.id) as "row", format('is a draft, held until %s', i.hold_until) as what
       from invoices i
       join subscriptions s on s.environment_id = i.environment_id and s.id = i.subscription_id
       join customers c on c.environment_id = i.environment_id and c.id = i.customer_id
       where i.status = 'draft' and s.attention is null and c.test_clock is null
         and greatest(i.hold_until, i.created_at) < ${CUSTOMER_NOW} - interval '5 minutes'`,
      ],
    },
  ),
];

type StoredPeriod = Period & { full_period_start: string; plan_id: string; is_open: boolean };

type Chain = PlanSchedule & {
  unit: Unit;
  id: string;
  cancel_at: string | null;
  periods: StoredPeriod[];
  /** The start of days for late usage that do not begin at the end; null if there are none. */
  misplaced_late_start: string | null;
};

async function brokenChains(db: Db, units: readonly Unit[], { limit }: CheckOptions): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  const { rows } = await db.query<Chain>(CHAINS, unitParameters(units));
  for (const chain of rows) {
    const fault = chainFault(chain);
    if (fault !== null) faults.push({ ...fault, unit: chain.unit });
  }
  return faults.slice(0, limit);
}

const CHAINS = `
  with ${unitsOf('subscription')}
  select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, s.id,
    ${PLAN_SCHEDULE}, s.cancel_at, coalesce((
    select jsonb_agg(jsonb_build_object('kind', p.kind, 'period_start', instant_text(p.period_start),
      'period_end', instant_text(p.period_end), 'interval_start', instant_text(p.interval_start),
      'interval_end', instant_text(p.interval_end), 'full_period_start', instant_text(p.full_period_start),
      'plan_id', p.plan_id, 'is_open', p.closed_at is null) order by p.period_start)
    from periods p
    where p.environment_id = s.environment_id and p.subscription_id = s.id and p.kind <> 'late' and not ${IS_LEFT_OUT}
  ), '[]') as periods, (
    select instant_text(p.period_start) from periods p
    where p.environment_id = s.environment_id and p.subscription_id = s.id and p.kind = 'late'
      and p.period_start is distinct from s.cancel_at limit 1
  ) as misplaced_late_start
  from unit
  join subscriptions s on s.environment_id = unit.environment_id and s.id = unit.id
  order by s.id`;

/** The first period that does not follow from the period before it, or from the start. */
function chainFault(chain: Chain): Fault | null {
  let before: StoredPeriod | null = null;
  for (const [index, period] of chain.periods.entries()) {
    const next = chain.periods[index + 1] ?? null;
    const expected = expectedAfter(chain, before);
    const fault = periodFault(chain, { period, expected, next });
    if (fault !== null)
      return { row: `period of subscription ${chain.id} from ${period.period_start}`, what: fault };
    before = period;
  }
  const { misplaced_late_start } = chain;
  if (misplaced_late_start !== null)
    return {
      row: `period of subscription ${chain.id} from ${misplaced_late_start}`,
      what: `collects late usage, but the subscription ends at ${chain.cancel_at}`,
    };
  const ends = before === null ? chain.start_date : before.period_end;
  const goes_on = chain.cancel_at === null || chain.cancel_at > ends;
  if (!goes_on || before?.is_open === true) return null;
  return { row: `subscription ${chain.id}`, what: `has no period after ${ends}` };
}

function expectedAfter(chain: Chain, before: StoredPeriod | null): Omit<StoredPeriod, 'is_open'> {
  if (before === null) {
    const period = firstPeriod(firstSchedule(chain));
    const plan_id = planOfPeriod(chain, period);
    return { ...upToChange(chain, period), full_period_start: period.period_start, plan_id };
  }
  const { period_end } = before;
  const period = upToChange(chain, periodAfter(scheduleAt(chain, period_end), period_end));
  const is_cut =
    before.kind === 'billing' && period_end < before.interval_end && !changesAt(chain, period_end);
  const plan_id = planOfPeriod(chain, period);
  return { ...period, full_period_start: is_cut ? before.full_period_start : period_end, plan_id };
}

function upToChange(chain: Chain, period: Period): Period {
  if (period.kind === 'trial') return period;
  return { ...period, period_end: endBefore(chain, period.period_start, period.period_end) };
}

function periodFault(
  { cancel_at }: Chain,
  met: { period: StoredPeriod; expected: Omit<StoredPeriod, 'is_open'>; next: StoredPeriod | null },
): string | null {
  const { period, expected, next } = met;
  for (const field of [
    'kind',
    'period_start',
    'interval_start',
    'interval_end',
    'full_period_start',
    'plan_id',
  ] as const)
    if (period[field] !== expected[field])
      return `has ${field} ${period[field]} but should have ${expected[field]}`;
  // May be shorter only if it was cut, or the subscription ended.
  const is_cut =
    period.period_end < expected.period_end &&
    (period.period_end === cancel_at || next?.full_period_start === period.full_period_start);
  if (period.period_end === expected.period_end || is_cut) return null;
  return `ends at ${period.period_end} but should end at ${expected.period_end}`;
}
