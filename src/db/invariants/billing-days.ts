import { CAUSES } from '../../domain/usage/billing-cause.ts';
import { createParameters } from '../connection/parameters.ts';
import type { Db } from '../connection/pool.ts';
import { billingParameters, eventBillings } from '../reports/event-billing.ts';
import { isFarBehind, PENDING } from '../reports/pending-days.ts';
import { byCode, codePart, sqlPart, type Fault, type UnitFault } from './invariant.ts';
import { unitParameters, unitsOf, type Unit } from './unit.ts';

/**
 * A day of a customer whose counts can be checked: no change waits to be counted, and no job fails for the customer.
 */
type CheckedDay = { unit: Unit; environment_id: number; customer_key: string; day: string; until: string };

async function checkedDays(db: Db, units: readonly Unit[]): Promise<CheckedDay[]> {
  if (await isFarBehind(db)) return [];
  const { rows } = await db.query<CheckedDay>(
    `with ${unitsOf('usage_day')}, pending as materialized (select p.customer_key from ${PENDING} as p)
     select jsonb_build_object('environment_id', unit.environment_id, 'id', unit.id) as unit, c.environment_id,
       c.key as customer_key, unit.day, unit.until + interval '1 millisecond' as until
     from unit join customers c on c.key = unit.customer_key
     where isfinite(unit.day) and unit.day >= coalesce(c.archived_to, '-infinity')
       and not exists (select from pending p where p.customer_key = c.key) and not exists (
       select from set_aside s where s.environment_id = c.environment_id and s.customer_id = c.id
         and s.job in ('rollup', 'usage_report'))`,
    unitParameters(units),
  );
  return rows;
}

/** Counts of the day that differ from its events, each read by the statement for one event. */
async function faultsOfDay(db: Db, day: CheckedDay, limit: number): Promise<Fault[]> {
  const { rows: settings } = await db.query<{ late_usage_days: number }>(
    'select late_usage_days from report_settings',
  );
  const { environment_id, customer_key, day: from, until: to } = day;
  const scope = { ...settings[0]!, environment_id, customer_keys: [customer_key], from, to };
  const { values, parameter } = createParameters(billingParameters(scope));
  const causes = parameter(CAUSES);
  const { rows } = await db.query<Fault>(
    `${eventBillings('true', ROLLED_UP)},
     placed as (
       select event_name, timestamp, min(array_position(${causes}::text[], cause)) as place
       from billing group by event_id, event_name, timestamp
     ), counted as (
       select event_name, (${causes}::text[])[place] as cause, count(*) as events from placed group by 1, 2
     )
     select format('customer key %s, %s, %s, %s', ${parameter(customer_key)}::text, event_name, $3::timestamptz, cause)
       as "row",
       format('has %s events, but there are %s', d.events, counted.events) as what
     from counted
     full join (select * from billing_days where customer_key = any($2) and day = $3) as d using (event_name, cause)
     where d.events is distinct from counted.events
     limit ${parameter(limit)}`,
    values,
  );
  return rows;
}

/** SQL: the events that are rolled up. */
const ROLLED_UP = `(
  select e.* from events e
  join (select epoch, rolled_up_to from epochs) as p on p.epoch = e.epoch and e.created_xid < p.rolled_up_to)`;

const SUMMED = `
  with summed as (
    select event_name, cause, sum(events) as events from billing_days
    where environment_id = unit.environment_id and day = unit.day group by 1, 2
  )
  select format('environment %s, %s, %s, %s', unit.environment_id, event_name, unit.day, cause) as "row",
    format('has %s events, but its customers have %s', d.events, summed.events) as what
  from summed full join (select * from report_days where environment_id = unit.environment_id and day = unit.day) as d
    using (event_name, cause)
  where d.events is distinct from summed.events`;

export const BILLING_DAY_INVARIANTS = [
  byCode(
    'I43',
    'The counts of events by cause equal the events of the day, read one by one, and those of an environment equal those of its customers.',
    [
      codePart('usage_day', async (db, units, { limit }) => {
        const faults: UnitFault[] = [];
        for (const day of await checkedDays(db, units)) {
          if (faults.length >= limit) break;
          const day_faults = await faultsOfDay(db, day, limit - faults.length);
          faults.push(...day_faults.map((fault) => ({ ...fault, unit: day.unit })));
        }
        return faults;
      }),
      sqlPart('event_day', [SUMMED]),
    ],
  ),
];
