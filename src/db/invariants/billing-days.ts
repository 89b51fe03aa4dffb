import { CAUSES } from '../../domain/billing-cause.ts';
import { createParameters } from '../parameters.ts';
import type { Db } from '../pool.ts';
import { eventBillings } from '../usage/event-billing.ts';
import { byCode, firstFaults, type Fault } from './invariant.ts';

const CUSTOMERS_AT_ONCE = 500;

/** Customers of one environment whose counts can be checked: nothing waits to be folded, and no job fails for them. */
type CheckedCustomers = { environment_id: number; customer_keys: string[] };

/** Customers with events or counts, in pages by key. */
async function* pagesOfCustomers(db: Db): AsyncIterable<CheckedCustomers> {
  let last = '0';
  for (;;) {
    const { rows } = await db.query<{ key: string; environment_id: number; is_checked: boolean }>(
      `select c.key, c.environment_id, not exists (select from billing_changes b where b.customer_key = c.key) and not exists (
           select from set_aside s where s.environment_id = c.environment_id and s.customer_id = c.id
             and s.job in ('rollup', 'usage_report')) as is_checked
       from customers c where c.key > $1 order by c.key limit $2`,
      [last, CUSTOMERS_AT_ONCE],
    );
    if (rows.length === 0) return;
    last = rows.at(-1)!.key;
    const checked = rows.filter(({ is_checked }) => is_checked);
    for (const environment_id of new Set(checked.map((row) => row.environment_id))) {
      const of_environment = checked.filter((row) => row.environment_id === environment_id);
      yield { environment_id, customer_keys: of_environment.map(({ key }) => key) };
    }
  }
}

/** SQL: days whose counts differ from the events of the customers, each read by the statement for one event. */
async function faultsOfCustomers(
  db: Db,
  { environment_id, customer_keys }: CheckedCustomers,
  limit: number,
): Promise<Fault[]> {
  const { values, parameter } = createParameters();
  const { rows: settings } = await db.query<{ late_usage_days: number }>(
    'select late_usage_days from report_settings',
  );
  [environment_id, customer_keys, FIRST, LAST, settings[0]!.late_usage_days].forEach(parameter);
  const { rows } = await db.query<Fault>(
    `${eventBillings(ROLLED_UP)},
     placed as (
       select customer_key, event_name, timestamp, min(array_position(${parameter(CAUSES)}::text[], cause)) as place
       from billing group by event_id, customer_key, event_name, timestamp
     ), counted as (
       select customer_key, event_name, date_trunc('day', timestamp, 'UTC') as day, ($6::text[])[place] as cause, count(*) as events
       from placed group by 1, 2, 3, 4
     )
     select format('customer key %s, %s, %s, %s', customer_key, event_name, day, cause) as "row",
       format('has %s events, but there are %s', d.events, counted.events) as what
     from counted full join (select * from billing_days where customer_key = any($2)) as d
       using (customer_key, event_name, day, cause)
     where d.events is distinct from counted.events
     limit ${parameter(limit)}`,
    values,
  );
  return rows;
}

/** SQL: the event `e` is rolled up. */
const ROLLED_UP = 'exists (select from epochs p where p.epoch = e.epoch and e.created_xid < p.rolled_up_to)';

/** Timestamps of events lie between them (I28). */
const [FIRST, LAST] = ['1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'];

const SUMMED = `
  with summed as (
    select environment_id, event_name, day, cause, sum(events) as events from billing_days group by 1, 2, 3, 4
  )
  select format('environment %s, %s, %s, %s', environment_id, event_name, day, cause) as "row",
    format('has %s events, but its customers have %s', d.events, summed.events) as what
  from summed full join report_days d using (environment_id, event_name, day, cause)
  where d.events is distinct from summed.events`;

export const BILLING_DAY_INVARIANTS = [
  byCode(
    'I43',
    'The counts of events by cause equal the events of the day, read one by one, and those of an environment equal those of its customers.',
    async (db, { limit }) => {
      const faults = await firstFaults(db, SUMMED, limit);
      for await (const page of pagesOfCustomers(db)) {
        if (faults.length >= limit) break;
        faults.push(...(await faultsOfCustomers(db, page, limit - faults.length)));
      }
      return faults;
    },
  ),
];
