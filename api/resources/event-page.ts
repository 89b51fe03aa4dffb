import type { EventPage, PlacedEvent } from '../../src/db/events/event-list.ts';
import type { UsageEvent } from '../../src/objects/event.ts';
import type { List } from '../../src/objects/parts.ts';
import { listResponse, type ListRequest } from '../routing/list.ts';
import type { RouteResponse } from '../routing/route.ts';

/** Responds with a page of events, sorted by timestamp and then by order of storing; the cursor holds both. */
export function eventPageResponse<Event extends UsageEvent>(
  request: ListRequest,
  list: { name: string; filters: object; fetch: (page: EventPage) => Promise<PlacedEvent<Event>[]> },
): Promise<RouteResponse<200, List<Event>>> {
  return listResponse(request, {
    name: list.name,
    filters: list.filters,
    fetch: async ({ before, limit }) => {
      const [timestamp, id] = before?.split(' ') ?? [];
      const after = before === null ? null : { timestamp: timestamp!, id: id! };
      const rows = await list.fetch({ after, limit });
      return rows.map(({ event, position }) => ({ id: `${position.timestamp} ${position.id}`, event }));
    },
    show: ({ event }) => event,
  });
}
