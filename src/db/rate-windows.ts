import type { Db } from './pool.ts';

/** Units that a key wants if they are left, and units that it owes in any case; these may have hundredths. */
export type UnitsAsked = { key_id: string; wanted: number; owed: number };

/** `left` is what anybody may still take in the window, below zero where more is owed than the rate gives. */
export type UnitsGiven = { granted: number; left: number; ends_in_ms: number };

/**
 * Takes units out of the keys' windows of a second, each key once. A window begins with the first unit after the end of the one
 * before it, and lasts longer where more is owed than `rate`, the units of a second. Answers in the order asked.
 */
export async function takeUnits(
  db: Db,
  rate: number,
  asked: readonly UnitsAsked[],
): Promise<readonly UnitsGiven[]> {
  const { rows } = await db.query<UnitsGiven & { key_id: string }>({
    name: 'take-units',
    // In the order of the keys: two processes lock rows in one order. A clock that was set back begins a new window.
    text: `insert into rate_windows as w (key_id, starts_at, taken, granted)
      select key_id, now(), granted + owed, granted
      from unnest($1::text[], $2::integer[], $3::numeric[]) as asked (key_id, wanted, owed)
      cross join least(wanted, greatest(0, floor($4 - owed))::integer) as granted order by key_id
      on conflict (key_id) do update set (starts_at, taken, granted) = (
        select case when is_running then w.starts_at else excluded.starts_at end, earlier + owed + allowed, allowed
        from (select excluded.taken - excluded.granted as owed, now() > w.starts_at - interval '1 second'
            and now() < w.starts_at + greatest(1, w.taken / $4) * interval '1 second' as is_running) as asked,
          lateral (select case when is_running then w.taken else 0 end as earlier) as window_before,
          least(excluded.granted, greatest(0, floor($4 - earlier - owed))::integer) as allowed)
      returning key_id, granted, ($4 - taken)::float8 as left,
        1000 * extract(epoch from starts_at + greatest(1, taken / $4) * interval '1 second' - now())::float8 as ends_in_ms`,
    values: [
      asked.map(({ key_id }) => key_id),
      asked.map(({ wanted }) => wanted),
      asked.map(({ owed }) => owed),
      rate,
    ],
  });
  const given = new Map(rows.map((row) => [row.key_id, row]));
  return asked.map(({ key_id }) => given.get(key_id)!);
}
