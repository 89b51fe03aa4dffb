import type { Db } from '../connection/pool.ts';

/** Parameters of a token bucket: `size` is the capacity in units, `per_second` the refill rate. */
export type RateLimit = { size: number; per_second: number };

/**
 * Units requested for a key: `wanted` are granted only as far as available, `owed` are always charged. `owed` may have
 * hundredths.
 */
export type UnitsAsked = { key_id: string; wanted: number; owed: number };

/** `granted`: units given. `taken`: units missing from a full bucket afterwards; above `size` if units are owed. */
export type UnitsGiven = { granted: number; taken: number };

/** Takes units from the buckets of keys, each key once; grants whole units only. Results in the order of `requests`. */
export async function takeUnits(
  db: Db,
  { size, per_second }: RateLimit,
  requests: readonly UnitsAsked[],
): Promise<readonly UnitsGiven[]> {
  const { rows } = await db.query<UnitsGiven & { key_id: string }>({
    name: 'take-units',
    // In key order, so that concurrent processes lock rows in the same order. clock_timestamp() is read after the row
    // is locked, so that no time is counted twice. If the clock was set back, the bucket does not refill until the
    // clock has caught up.
    text: `insert into rate_buckets as b (key_id, taken, counted_at, granted)
      select key_id, owed + granted, clock_timestamp(), granted
      from unnest($1::text[], $2::integer[], $3::numeric[]) as asked (key_id, wanted, owed)
      cross join least(wanted, greatest(0, floor($4::numeric - owed))::integer) as granted order by key_id
      on conflict (key_id) do update set (taken, counted_at, granted) = (
        select unfilled + owed + allowed, at, allowed
        from (select clock_timestamp() as at, excluded.taken - excluded.granted as owed) as asked,
          greatest(0, b.taken - $5::numeric * greatest(0, extract(epoch from at - b.counted_at))) as unfilled,
          least(excluded.granted, greatest(0, floor($4::numeric - unfilled - owed))::integer) as allowed)
      returning key_id, granted, taken::float8 as taken`,
    values: [
      requests.map(({ key_id }) => key_id),
      requests.map(({ wanted }) => wanted),
      requests.map(({ owed }) => owed),
      size,
      per_second,
    ],
  });
  const units_by_key = new Map(rows.map((row) => [row.key_id, row]));
  return requests.map(({ key_id }) => units_by_key.get(key_id)!);
}
