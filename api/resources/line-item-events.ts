import { refuseArchivedLine } from '../../src/db/archive/refusals.ts';
import { findBilledLine, listLineEvents } from '../../src/db/usage/line-item-events.ts';
import { notFoundError } from '../http/errors.ts';
import { eventPageResponse } from './event-page.ts';
import { EventObject } from '../../src/objects/event.ts';
import * as examples from '../reference/examples/events.ts';
import { route } from '../routing/route.ts';
import { listOf, PAGE } from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

const list = route({
  method: 'get',
  path: '/v1/invoices/{id}/line-items/{line_item_id}/events',
  operation_id: 'listLineItemEvents',
  tag: 'Invoices',
  summary: 'List the events that a line item bills, newest timestamp first; a flat line has no events',
  query: exactly(PAGE),
  examples: examples.listOfLine,
  refusals: ['conflict'],
  responses: { 200: listOf(EventObject) },
  handle: async (request) => {
    const { db, caller, params } = request;
    const key = { invoice_id: params['id']!, line_item_id: params['line_item_id']! };
    const line = await findBilledLine(db, caller.environment_id, key);
    if (line === null) throw notFoundError();
    await refuseArchivedLine(db, caller.environment_id, key.line_item_id);
    return eventPageResponse(request, {
      name: 'line_item_events',
      filters: key,
      fetch: (page) => listLineEvents(db, line, page),
    });
  },
});

export const lineItemEventRoutes = [list];
