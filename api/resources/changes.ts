import { Type } from 'typebox';
import { findCustomer } from '../../src/db/customers/customers.ts';
import {
  readBounds,
  readFeed,
  type FeedBounds,
  type FeedFilter,
  type FeedSlice,
} from '../../src/db/feed/feed.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { typesNamed } from '../../src/domain/feed/change-types.ts';
import { checkedAfter } from '../../src/domain/feed/feed-place.ts';
import { FeedPage } from '../../src/objects/change.ts';
import { exactly } from '../../src/objects/parts.ts';
import * as examples from '../reference/examples/changes.ts';
import { route } from '../routing/route.ts';
import { checkedTypes, Sequence } from '../schema/change-types.ts';
import { Identifier } from '../schema/schemas.ts';

const list = route({
  method: 'get',
  path: '/v1/changes',
  operation_id: 'listChanges',
  tag: 'Changes',
  summary: 'The feed of changes, oldest first, without a gap',
  description:
    'Each change of an object has the next number of its environment, in the order of commits. To follow: take `newest_sequence`, read the ' +
    'lists once, then ask for what comes `after` it, again and again with `next_after`. Keep the greatest `sequence` of each object and drop ' +
    'smaller ones. With `wait`, an empty response is held until a change fits, for at most that many seconds. At most 20,000 numbers are ' +
    'read for a filter by `types` alone; `next_after` moves over what the filter leaves out.',
  query: exactly({
    after: Type.Optional(Sequence),
    types: Type.Optional(
      Type.String({
        maxLength: 4000,
        description: 'Names of types, or all of an object such as `invoice.*`, separated by commas.',
        examples: ['invoice.issued,payment.*'],
      }),
    ),
    object_id: Type.Optional(Identifier),
    customer_id: Type.Optional(Identifier),
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 100 }),
    wait: Type.Integer({ minimum: 0, maximum: 30, default: 0, description: 'Seconds.' }),
  }),
  examples: examples.list,
  responses: { 200: FeedPage },
  refusals: ['rate_limited'],
  // A request that waits holds no connection.
  transaction: false,
  may_take_long: true,
  handle: async ({ deps, db, caller, query }) => {
    const { environment_id } = caller;
    const { after, limit, wait } = query;
    const filter = await filterOf(db, environment_id, query);
    const wait_until = performance.now() + wait * 1000;
    const first = await readBounds(db, environment_id);
    let from = after === undefined ? first.oldest_sequence - 1 : checkedAfter(after, first);
    for (let bounds = first; ; bounds = await readBounds(db, environment_id)) {
      const { newest_sequence: newest } = bounds;
      const page = await readFeed(db, environment_id, { ...filter, after: from, newest, limit });
      const left_ms = wait_until - performance.now();
      if (page.changes.length > 0 || left_ms <= 0) return { status: 200, body: responseOf(page, bounds) };
      from = page.read_to;
      if (from === newest) await deps.feed_watch.beyond(caller, newest, left_ms);
      if (deps.feed_watch.has_ended()) return { status: 200, body: responseOf(page, bounds) };
    }
  },
});

export const changeRoutes = [list];

function responseOf({ changes, read_to }: FeedSlice, bounds: FeedBounds): FeedPage {
  const has_more = read_to < bounds.newest_sequence;
  return { object: 'list', data: changes, has_more, next_after: read_to, ...bounds };
}

/** The filter of a query. An unknown customer matches nothing. */
async function filterOf(
  db: Db,
  environment_id: number,
  { types, object_id, customer_id }: { types?: string; object_id?: string; customer_id?: string },
): Promise<FeedFilter> {
  const customer = customer_id === undefined ? null : await findCustomer(db, environment_id, customer_id);
  const customer_key = customer_id === undefined ? null : (customer?.id ?? customer_id);
  return { types: types === undefined ? null : namesOf(types), object_id: object_id ?? null, customer_key };
}

function namesOf(text: string): string[] {
  return [...new Set(checkedTypes('types', text.split(',')).flatMap(typesNamed))];
}
