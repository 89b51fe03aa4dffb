import { UNRATED_REASONS, type Cause } from '../../domain/usage/billing-cause.ts';
import type { Db } from '../connection/pool.ts';
import { readAdditions, type ReportScope } from './report-additions.ts';
import { listEventsByStatus } from './events-by-status.ts';
import { divideRange } from './report-range.ts';
import { inReportTime } from './report-time.ts';

type UnratedCount = { event_name: string; events: number };
/** Unrated events of a name; `customer_ids` are external ids of customers of the latest ones. */
export type UnratedName = UnratedCount & { customer_ids: string[] };

/** How many of the latest events of a name are searched for customers. */
const EVENTS_MAX = 50;
const CUSTOMERS_MAX = 3;

/** Unrated events by event name, the most frequent first. Throws invalid_request `too_large` if it takes too long. */
export function listUnratedNames(db: Db, scope: ReportScope, limit: number): Promise<UnratedName[]> {
  return inReportTime(db, scope, async (limited) => {
    const names: UnratedName[] = [];
    for (const counted of await countByName(limited, scope, limit))
      names.push({ ...counted, customer_ids: await latestCustomers(limited, scope, counted.event_name) });
    return names;
  });
}

async function latestCustomers(db: Db, scope: ReportScope, event_name: string): Promise<string[]> {
  const { environment_id, customer_key, from, to } = scope;
  const filter = { billing_status: 'unrated', customer_key, event_name, from, to } as const;
  const latest = await listEventsByStatus(db, environment_id, { after: null, limit: EVENTS_MAX, filter });
  return [...new Set(latest.map(({ event }) => event.customer_id))].slice(0, CUSTOMERS_MAX);
}

async function countByName(db: Db, scope: ReportScope, limit: number): Promise<UnratedCount[]> {
  const { counts } = await readAdditions(db, scope);
  const unrated = counts.filter(({ cause }) => isUnrated(cause));
  const names = new Set(unrated.map(({ event_name }) => event_name));
  // What is added may take away from the first names, so that others take their places.
  const stored = await readStored(db, scope, { names: [...names], limit: limit + names.size });
  const sums = new Map(stored.map(({ event_name, events }) => [event_name, Number(events)]));
  for (const { event_name, events } of unrated) sums.set(event_name, (sums.get(event_name) ?? 0) + events);
  return [...sums]
    .map(([event_name, events]) => ({ event_name, events }))
    .filter(({ events }) => events > 0)
    .sort((a, b) => b.events - a.events || (a.event_name < b.event_name ? -1 : 1))
    .slice(0, limit);
}

function isUnrated(cause: Cause): boolean {
  return UNRATED_REASONS.some((reason) => reason === cause);
}

/** The names with the most unrated events, and the given ones. */
async function readStored(
  db: Db,
  scope: ReportScope,
  { names, limit }: { names: readonly string[]; limit: number },
): Promise<{ event_name: string; events: string }[]> {
  const { days } = divideRange(scope);
  if (days === null) return [];
  const { rows } = await db.query<{ event_name: string; events: string }>(
    `with named as (
       select event_name, sum(events) as events, row_number() over (order by sum(events) desc, event_name) as place
       from report_days where environment_id = $1 and day >= $2 and day < $3 and cause = any($4) group by event_name
     )
     select event_name, events::text from named where place <= $5 or event_name = any($6)`,
    [scope.environment_id, days.from, days.to, UNRATED_REASONS, limit, names],
  );
  return rows;
}
