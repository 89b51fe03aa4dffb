import type { Db } from '../pool.ts';

/** The subscriptions of one environment with an id above `after` and up to `last`. */
export type Page = { environment_id: number; after: string; last: string };

const SUBSCRIPTIONS_AT_ONCE = 500;

/**
 * Subscriptions of every environment, a page at a time: what is checked in code does not fit in it as a whole, and a statement about
 * a page ends long before it is cut off.
 */
export async function* pagesOfSubscriptions(db: Db): AsyncIterable<Page> {
  let last = { environment_id: 0, id: '' };
  for (;;) {
    // The environment is the first column of the key, so that no page reads what is before it.
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
