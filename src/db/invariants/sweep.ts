import type { Db } from '../connection/pool.ts';
import { SIZED_BY } from './totals.ts';
import type { Kind, Unit } from './unit.ts';

/** Kinds that are gone through; what is not here is checked as a whole each time. */
export const SWEPT_KINDS = [
  'invoice',
  'subscription',
  'grant',
  'customer',
  'item',
  'plan_key',
  'plan_migration',
  'closed_month',
  'full_period',
  'usage_day',
  'event_day',
  'numbers',
  'table_blocks',
  'idempotency_hour',
] as const satisfies readonly Kind[];

export type SweptKind = (typeof SWEPT_KINDS)[number];

/** A round begins no sooner than this after the one before it: a small database is gone through once a day. */
export const ROUND_EVERY = '1 day';

/** Kinds that the sweep has something to do for now, in the order of SWEPT_KINDS. */
export async function dueKinds(db: Db, round_every = ROUND_EVERY): Promise<SweptKind[]> {
  const { rows } = await db.query<{ kind: SweptKind }>(
    `select s.kind from unnest($1::text[]) with ordinality as s(kind, place)
     left join check_sweeps w on w.kind = s.kind
     where w.kind is null or w.finished_at is null or w.started_at <= now() - $2::interval
     order by s.place`,
    [SWEPT_KINDS, round_every],
  );
  return rows.map(({ kind }) => kind);
}

/** The last unit that the round has checked; null before the first. Begins a round if none is open. */
export async function openRound(db: Db, kind: SweptKind): Promise<Unit | null> {
  const { rows } = await db.query<{ environment_id: number | null; id: string | null }>(
    `insert into check_sweeps as w (kind, started_at, checked, busy_ms) values ($1, now(), 0, 0)
     on conflict (kind) do update set
       environment = case when w.finished_at is null then w.environment end,
       unit = case when w.finished_at is null then w.unit end,
       started_at = case when w.finished_at is null then w.started_at else now() end,
       checked = case when w.finished_at is null then w.checked else 0 end,
       busy_ms = case when w.finished_at is null then w.busy_ms else 0 end,
       last_started_at = case when w.finished_at is null then w.last_started_at else w.started_at end,
       last_checked = case when w.finished_at is null then w.last_checked else w.checked end,
       last_busy_ms = case when w.finished_at is null then w.last_busy_ms else w.busy_ms end,
       finished_at = null
     returning environment as environment_id, unit as id`,
    [kind],
  );
  const { environment_id, id } = rows[0]!;
  return environment_id === null || id === null ? null : { environment_id, id };
}

/** Notes the units of a slice as checked; none ends the round. */
export async function noteSwept(
  db: Db,
  kind: SweptKind,
  { units, busy_ms }: { units: readonly Unit[]; busy_ms: number },
): Promise<void> {
  const last = units.at(-1);
  if (last === undefined)
    await db.query('update check_sweeps set finished_at = now() where kind = $1', [kind]);
  else
    await db.query(
      `update check_sweeps set environment = $2, unit = $3, checked = checked + $4, busy_ms = busy_ms + $5
       where kind = $1`,
      [kind, last.environment_id, last.id, units.length, Math.round(busy_ms)],
    );
}

/** The state of the sweep over a kind. Its units were all seen since `seen_since`; null if no round has ended. */
export type SweepState = {
  kind: SweptKind;
  started_at: string;
  finished_at: string | null;
  checked: number;
  /** Number of units in the last round that ended, or the planner's guess; null if neither is known. */
  total: number | null;
  busy_ms: number;
  seen_since: string | null;
};

/** The state of every sweep that has begun. */
export async function sweepStates(db: Db): Promise<SweepState[]> {
  const { rows } = await db.query<SweepState>(
    `select w.kind, w.started_at, w.finished_at, w.checked::float8 as checked, w.busy_ms::float8 as busy_ms,
       case when w.finished_at is not null then w.started_at else w.last_started_at end as seen_since,
       case when w.finished_at is not null then w.checked
         else greatest(w.checked, coalesce(w.last_checked, nullif(greatest(c.reltuples, 0), 0)))::bigint end::float8
           as total
     from check_sweeps w
     left join jsonb_each_text($1::jsonb) as sized(kind, name) on sized.kind = w.kind
     left join pg_class c on c.oid = to_regclass(sized.name)
     order by w.kind`,
    [JSON.stringify(SIZED_BY)],
  );
  return rows;
}
