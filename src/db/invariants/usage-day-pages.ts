import { byIndex } from '../connection/by-index.ts';
import type { Db } from '../connection/pool.ts';
import { instantId, TO_LAST, type Unit } from './unit.ts';

/** A day of a customer as a unit's id has it; null is before the first. */
type UsageDay = { customer_key: string; day: string | null };

/** The customer's key before all others. */
const FIRST_KEY = '-9223372036854775808';

/**
 * The next days on which a customer has events or totals, in the caller's transaction. Nearly every day with events has
 * totals, so one statement looks for events between the totals of the page, and after all totals they are looked for
 * day by day.
 */
export async function pageOfUsageDays(db: Db, after: Unit, limit: number): Promise<Unit[]> {
  const [customer_key, day = null] = after.id.split(' ');
  const from: UsageDay = { customer_key: customer_key || FIRST_KEY, day };
  const totals = await totalsAfter(db, from, limit);
  const days = await withDaysBetween(db, { from, totals, limit });
  if (totals.length < limit)
    for (let last = totals.at(-1) ?? from; days.length < limit; days.push(last)) {
      const next = await nextDay(db, last);
      if (next === null) break;
      last = next;
    }
  return days.map((one) => ({ environment_id: 0, id: `${one.customer_key} ${one.day}` }));
}

/** SQL: the last instant of a day; before all others for null. */
const lastInstantOf = (day: string) => `coalesce(${day}::timestamptz + ${TO_LAST}, '-infinity')`;

async function totalsAfter(db: Db, { customer_key, day }: UsageDay, limit: number): Promise<UsageDay[]> {
  const { rows } = await db.query<UsageDay>(
    `select page.customer_key, ${instantId('page.day')} as day from (
       select distinct d.customer_key, d.day from usage_days d
       where d.customer_key >= $1 and (d.customer_key > $1 or d.day > coalesce($2::timestamptz, '-infinity'))
       order by d.customer_key, d.day limit $3) as page
     order by page.customer_key, page.day`,
    [customer_key, day, limit],
  );
  return rows;
}

/** The first of these days with totals and of the days of events from one place on that lie between them. */
async function withDaysBetween(
  db: Db,
  { from, totals, limit }: { from: UsageDay; totals: readonly UsageDay[]; limit: number },
): Promise<UsageDay[]> {
  const { rows } = await byIndex(db, () =>
    db.query<UsageDay>(
      `with total as materialized (
         select customer_key, day from unnest($1::bigint[], $2::timestamptz[]) as t(customer_key, day)
       ), gap as materialized (
         select coalesce(lag(customer_key) over in_order, $3::bigint) as after_key,
           coalesce(lag(day) over in_order + ${TO_LAST}, ${lastInstantOf('$4')}) as after, customer_key, day
         from total window in_order as (order by customer_key, day)
       ), stored as materialized (
         select distinct e.customer_key, date_trunc('day', e.timestamp, 'UTC') as day
         from gap join events e on (e.customer_key, e.timestamp) > (gap.after_key, gap.after)
           and (e.customer_key, e.timestamp) < (gap.customer_key, gap.day)
       )
       select page.customer_key, ${instantId('page.day')} as day
       from (select customer_key, day from total union all select customer_key, day from stored) as page
       order by page.customer_key, page.day limit $5`,
      [
        totals.map(({ customer_key }) => customer_key),
        totals.map(({ day }) => day),
        from.customer_key,
        from.day,
        limit,
      ],
    ),
  );
  return rows;
}

async function nextDay(db: Db, { customer_key, day }: UsageDay): Promise<UsageDay | null> {
  const { rows } = await db.query<UsageDay>(
    `select e.customer_key, ${instantId(`date_trunc('day', e.timestamp, 'UTC')`)} as day from events e
     where (e.customer_key, e.timestamp) > ($1::bigint, ${lastInstantOf('$2')})
     order by e.customer_key, e.timestamp limit 1`,
    [customer_key, day],
  );
  return rows[0] ?? null;
}
