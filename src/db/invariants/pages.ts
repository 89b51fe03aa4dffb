import type { Db } from '../pool.ts';

/** Subscriptions of one environment with an id above `after` and up to `last`. */
export type Page = { environment_id: number; after: string; last: string };

const SUBSCRIPTIONS_AT_ONCE = 500;

/**
 * Subscriptions of all environments in pages: all at once would not fit in memory, and a statement over one page ends well before its
 * timeout.
 */
export async function* pagesOfSubscriptions(db: Db): AsyncIterable<Page> {
  let last = { environment_id: 0, id: '' };
  for (;;) {
    // The environment is the first column of the key, so that no page reads earlier rows.
    const { rows } = await db.query<{ environment_id: number; id: string }>(
      `select environment_id, id from subscriptions where (environment_id, id) > ($1, $2)
       order by environment_id, id limit $3`,
      [last.environment_id, last.id, SUBSCRIPTIONS_AT_ONCE],
    );
    const of_first = rows.filter(({ environment_id }) => environment_id === rows[0]!.environment_id);
    const next = of_first.at(-1);
    if (next === undefined) return;
    const after = next.environment_id === last.environment_id ? last.id : '';
    yield { environment_id: next.environment_id, after, last: next.id };
    last = next;
  }
}
