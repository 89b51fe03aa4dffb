import { Type } from 'typebox';
import { billingOfEvent } from '../../src/db/usage/event-billing.ts';
import { findEvent, listEvents, type Event } from '../../src/db/events/event-list.ts';
import type { Db } from '../../src/db/pool.ts';
import type { Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import { eventPageResponse } from './event-page.ts';
import { EventObject, EventWithBilling } from '../ingest/event-schemas.ts';
import * as shown from '../reference/examples/events.ts';
import { checkOrder } from '../schema/range.ts';
import { route } from '../routing/route.ts';
import { Identifier, Instant, listOf, PAGE } from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

const list = route({
  method: 'get',
  path: '/v1/events',
  operation_id: 'listEvents',
  tag: 'Events',
  summary: 'Events, newest timestamp first',
  description: 'With the filter `idempotency_key`, the event includes `billing`, as in `/v1/events/{id}`.',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    event_name: Type.Optional(Identifier),
    idempotency_key: Type.Optional(Identifier),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    ...PAGE,
  }),
  examples: shown.list,
  responses: { 200: listOf(Type.Union([EventWithBilling, EventObject])) },
  handle: async (request) => {
    const { deps, db, query } = request;
    const { environment_id } = request.caller;
    const { cursor: _, limit: __, ...filter } = query;
    checkOrder(filter);
    return eventPageResponse(request, {
      name: 'events',
      filters: filter,
      fetch: async (page) => {
        const placed = await listEvents(db, environment_id, { filter, ...page });
        if (filter.idempotency_key === undefined) return placed;
        // At most one event has the key, so this is at most one more query.
        return Promise.all(
          placed.map(async ({ event, position }) => ({
            event: await withBilling(deps, db, { environment_id, event }),
            position,
          })),
        );
      },
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/events/{id}',
  operation_id: 'getEvent',
  tag: 'Events',
  summary: 'Get an event with its billing status',
  examples: shown.read,
  responses: { 200: EventWithBilling },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const event = await findEvent(db, environment_id, params['id']!);
    if (event === null) throw notFoundError();
    return { status: 200, body: await withBilling(deps, db, { environment_id, event }) };
  },
});

type Found = { environment_id: number; event: Event };

async function withBilling({ config }: Deps, db: Db, { environment_id, event }: Found) {
  const { late_usage_days } = config;
  const billing = await billingOfEvent(db, { environment_id, event_id: event.id, late_usage_days });
  return { ...event, billing };
}

export const eventRoutes = [list, read];
