import { Type } from 'typebox';
import { fateOf } from '../src/db/event-fate.ts';
import { findEvent, listEvents, type EventPosition } from '../src/db/event-list.ts';
import { invalid } from '../src/domain/errors.ts';
import { nothingHere } from './errors.ts';
import { EventObject, EventWithFate } from './event-schemas.ts';
import { listAnswer } from './list.ts';
import { route } from './route.ts';
import { exactly, Identifier, Instant, listOf, PAGE } from './schemas.ts';

const list = route({
  method: 'get',
  path: '/v1/events',
  operation_id: 'listEvents',
  tag: 'Events',
  summary: 'Events, newest timestamp first',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    event_name: Type.Optional(Identifier),
    idempotency_key: Type.Optional(Identifier),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    ...PAGE,
  }),
  answers: { 200: listOf(EventObject) },
  handle: async (request) => {
    const { db, caller, query } = request;
    const { cursor: _, limit: __, ...filter } = query;
    if (filter.from !== undefined && filter.to !== undefined && filter.from > filter.to)
      throw invalid('from', 'out_of_order', 'from must not be after to');
    return listAnswer(request, {
      name: 'events',
      filters: filter,
      fetch: async ({ before, limit }) => {
        const after = before === null ? null : positionOf(before);
        const rows = await listEvents(db, caller.environment_id, { filter, after, limit });
        return rows.map(({ event, position }) => ({ id: `${position.timestamp} ${position.id}`, event }));
      },
      show: ({ event }) => event,
    });
  },
});

/** The place that a cursor holds: a list by time is not in the order of its ids. */
function positionOf(text: string): EventPosition {
  const [timestamp, id] = text.split(' ');
  return { timestamp: timestamp!, id: id! };
}

const read = route({
  method: 'get',
  path: '/v1/events/{id}',
  operation_id: 'getEvent',
  tag: 'Events',
  summary: 'One event, and what billing makes of it',
  answers: { 200: EventWithFate },
  handle: async ({ db, caller, params }) => {
    const event = await findEvent(db, caller.environment_id, params['id']!);
    if (event === null) throw nothingHere();
    return { status: 200, body: { ...event, billing: await fateOf(db, caller.environment_id, event.id) } };
  },
});

export const eventRoutes = [list, read];
