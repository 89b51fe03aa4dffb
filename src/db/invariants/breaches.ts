import type { Db } from '../connection/pool.ts';
import type { Found, Selection } from './check.ts';

/** The most breaches that are stored of one invariant; a bug that breaches every invoice must not fill the table. */
const KEPT_MAX = 1000;

/** An open breach, or a known exception with its reason: it stays until the unit was checked again and was sound. */
export type OpenBreach = {
  invariant: string;
  kind: string;
  environment: number;
  unit: string;
  row: string;
  what: string;
  exception: string | null;
  first_seen_at: string;
  last_seen_at: string;
};

/**
 * Stores what a check of these units found, and removes what it found no more: breaches of exactly these units and of
 * the invariants that were asked in full. Returns the rows that are new.
 */
export async function keepFound(
  db: Db,
  { kind, units }: Selection,
  all: readonly Found[],
): Promise<{ invariant: string; row: string }[]> {
  const all_faults = all.flatMap(({ invariant, faults }) => faults.map((fault) => ({ invariant, ...fault })));
  const complete = all.filter(({ is_complete }) => is_complete).map(({ invariant }) => invariant);
  const { rows } = await db.query<{ invariant: string; row: string; is_new: boolean }>(KEEP, [
    kind,
    JSON.stringify(
      all_faults.map(({ unit, ...fault }) => ({ ...fault, environment: unit.environment_id, unit: unit.id })),
    ),
    KEPT_MAX,
  ]);
  await db.query(
    `delete from breaches b using unnest($2::integer[], $3::text[]) as u(environment, unit)
     where b.kind = $1 and b.environment = u.environment and b.unit = u.unit and b.invariant = any($4)
       and not exists (
         select from jsonb_to_recordset($5) as f(invariant text, environment integer, unit text, "row" text)
         where f.invariant = b.invariant and f.environment = b.environment and f.unit = b.unit and f."row" = b."row")`,
    [
      kind,
      units.map(({ environment_id }) => environment_id),
      units.map(({ id }) => id),
      complete,
      JSON.stringify(
        all_faults.map(({ invariant, row, unit }) => ({
          invariant,
          row,
          environment: unit.environment_id,
          unit: unit.id,
        })),
      ),
    ],
  );
  return rows.flatMap(({ invariant, row, is_new }) => (is_new ? [{ invariant, row }] : []));
}

/** Inserts breaches. Only one check runs at a time, so no other adds any between the count and the insert. */
const KEEP = `
  insert into breaches as b (invariant, kind, environment, unit, "row", what, exception)
  select distinct on (f.invariant, f.environment, f.unit, md5(f."row"))
    f.invariant, $1, f.environment, f.unit, f."row", f.what, f.exception
  from jsonb_to_recordset($2) as f(invariant text, environment integer, unit text, "row" text, what text,
    exception text)
  where (select count(*) from breaches k where k.invariant = f.invariant) < $3
    or exists (select from breaches k where k.invariant = f.invariant and k.kind = $1 and k.environment = f.environment
      and k.unit = f.unit and md5(k."row") = md5(f."row"))
  on conflict (invariant, kind, environment, unit, md5("row")) do update set
    what = excluded.what, exception = excluded.exception, last_seen_at = now()
  returning b.invariant, b."row", b.exception is null and b.first_seen_at = now() and b.xmax::text = '0' as is_new`;

/** Lists open breaches and exceptions, the oldest first, at most `limit` of each invariant. */
export async function listBreaches(db: Db, limit: number): Promise<OpenBreach[]> {
  const { rows } = await db.query<OpenBreach>(
    `select b.invariant, b.kind, b.environment, b.unit, b."row", b.what, b.exception, b.first_seen_at, b.last_seen_at
     from (select distinct invariant from breaches) as i
     cross join lateral (select * from breaches k where k.invariant = i.invariant order by k.id limit $1) as b
     order by length(b.invariant), b.invariant, b.id`,
    [limit],
  );
  return rows;
}

/** How many breaches of each invariant are open. Known exceptions do not count. */
export async function countBreaches(db: Db): Promise<Record<string, number>> {
  const { rows } = await db.query<{ invariant: string; count: number }>(
    'select invariant, count(*)::integer as count from breaches where exception is null group by invariant',
  );
  return Object.fromEntries(rows.map(({ invariant, count }) => [invariant, count]));
}
