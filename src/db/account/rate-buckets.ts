import type { Db } from '../pool.ts';

/** A token bucket: `size` units may be taken at once, and `per_second` come back. */
export type RateLimit = { size: number; per_second: number };

/** Units that a key wants if they are left, and units that it owes in any case; these may have hundredths. */
export type UnitsAsked = { key_id: string; wanted: number; owed: number };

/** `taken` is what a full bucket would have besides, more than its size where units are owed. */
export type UnitsGiven = { granted: number; taken: number };

/** Takes units out of the keys' buckets, each key once, whole ones as far as they are there. Answers in the order asked. */
export async function takeUnits(
  db: Db,
  { size, per_second }: RateLimit,
  asked: readonly UnitsAsked[],
): Promise<readonly UnitsGiven[]> {
  const { rows } = await db.query<UnitsGiven & { key_id: string }>({
    name: 'take-units',
    // In the order of the keys: two processes lock rows in one order. The clock is read once the row is locked, so that no time is
    // counted twice; one that was set back fills nothing until it goes on.
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
      asked.map(({ key_id }) => key_id),
      asked.map(({ wanted }) => wanted),
      asked.map(({ owed }) => owed),
      size,
      per_second,
    ],
  });
  const given = new Map(rows.map((row) => [row.key_id, row]));
  return asked.map(({ key_id }) => given.get(key_id)!);
}
