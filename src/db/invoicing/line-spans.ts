import type { Span } from '../../domain/time/span.ts';
import type { Db } from '../connection/pool.ts';

/** SQL: an array of Span in stored order, from the rows of SPAN_ROWS. */
export const SPANS = `jsonb_agg(jsonb_build_object(
    'after', case when a.id is not null
      then jsonb_build_object('id', a.id::text, 'epoch', a.epoch, 'snapshot', a.snapshot::text) end,
    'up_to', jsonb_build_object('id', u.id::text, 'epoch', u.epoch, 'snapshot', u.snapshot::text),
    'timestamp_from', instant_text(s.timestamp_from), 'timestamp_to', instant_text(s.timestamp_to),
    'stored_from', instant_text(s.stored_from), 'stored_to', instant_text(s.stored_to)) order by s.position)`;

/** SQL: the spans `s` with their cut-offs `a` and `u`. */
export const SPAN_ROWS = `line_item_spans s
  join cut_offs u on u.environment_id = s.environment_id and u.id = s.up_to_cut_off_id
  left join cut_offs a on a.environment_id = s.environment_id and a.id = s.after_cut_off_id`;

/** SQL: the spans of the line `l`; empty for a flat charge or an item. */
export const SPANS_OF_LINE = `(
  select coalesce(${SPANS}, '[]') from ${SPAN_ROWS}
  where s.environment_id = l.environment_id and s.line_item_id = l.id)`;

/** Spans of a line, by its id. */
export type HeldSpans = { line_item_id: string; spans: readonly Span[] };

/** Stores the spans of lines; `rewritten` are the lines whose spans go before. */
export async function writeSpans(
  db: Db,
  environment_id: number,
  { held_spans, rewritten }: { held_spans: readonly HeldSpans[]; rewritten: readonly string[] },
): Promise<void> {
  if (rewritten.length > 0)
    await db.query('delete from line_item_spans where environment_id = $1 and line_item_id = any($2)', [
      environment_id,
      rewritten,
    ]);
  const rows = held_spans.flatMap(({ line_item_id, spans }) =>
    spans.map(({ after, up_to, ...bounds }, position) => ({
      line_item_id,
      position,
      after_id: after?.id ?? null,
      up_to_id: up_to.id,
      ...bounds,
    })),
  );
  if (rows.length === 0) return;
  await db.query(
    `insert into line_item_spans (environment_id, line_item_id, position, after_cut_off_id, up_to_cut_off_id,
       timestamp_from, timestamp_to, stored_from, stored_to)
     select $1, line_item_id, position, after_id, up_to_id, timestamp_from, timestamp_to, stored_from, stored_to
     from jsonb_to_recordset($2) as s(line_item_id text, position integer, after_id bigint, up_to_id bigint,
       timestamp_from timestamptz, timestamp_to timestamptz, stored_from timestamptz, stored_to timestamptz)`,
    [environment_id, JSON.stringify(rows)],
  );
}
