import { Type } from 'typebox';
import { billingOfEvent } from '../../src/billing/previews/event-billing.ts';
import { findCustomerKey } from '../../src/db/customers/customers.ts';
import { findEvent, listEvents, type EventPage } from '../../src/db/events/event-list.ts';
import type { UsageEvent } from '../../src/objects/event.ts';
import { readOnly, SHORT_STATEMENT_MS, type Db } from '../../src/db/connection/pool.ts';
import { listEventsByStatus } from '../../src/db/reports/events-by-status.ts';
import { BILLING_STATUSES, type BillingStatus } from '../../src/domain/usage/billing-cause.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import type { Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import { eventPageResponse } from './event-page.ts';
import { EventObject, EventWithBilling } from '../../src/objects/event.ts';
import * as examples from '../reference/examples/events.ts';
import { checkOrder } from '../schema/range.ts';
import { route } from '../routing/route.ts';
import { Identifier, Instant, listOf, PAGE } from '../schema/schemas.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';

const list = route({
  method: 'get',
  path: '/v1/events',
  operation_id: 'listEvents',
  tag: 'Events',
  summary: 'Events, newest timestamp first',
  description:
    'With the filter `idempotency_key`, the event includes `billing`, as in `/v1/events/{id}`. The filter `billing_status` lists events ' +
    'as `/v1/usage-report` counts them: an event of several charges has one status.',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    event_name: Type.Optional(Identifier),
    idempotency_key: Type.Optional(Identifier),
    from: Type.Optional(Instant),
    to: Type.Optional(Instant),
    billing_status: Type.Optional(oneOf(BILLING_STATUSES)),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(Type.Union([EventWithBilling, EventObject])) },
  handle: async (request) => {
    const { deps, db, query } = request;
    const { environment_id } = request.caller;
    const { cursor: _, limit: __, ...filter } = query;
    checkOrder(filter);
    const { billing_status } = filter;
    if (billing_status !== undefined && filter.idempotency_key !== undefined)
      throw invalid('billing_status', 'not_allowed', 'billing_status is not allowed with idempotency_key');
    return eventPageResponse(request, {
      name: 'events',
      filters: filter,
      fetch: async (page) => {
        if (billing_status !== undefined)
          return listByStatus(deps, { ...filter, environment_id, billing_status }, page);
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
  examples: examples.read,
  responses: { 200: EventWithBilling },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id } = caller;
    const event = await findEvent(db, environment_id, params['id']!);
    if (event === null) throw notFoundError();
    return { status: 200, body: await withBilling(deps, db, { environment_id, event }) };
  },
});

type StatusQuery = {
  environment_id: number;
  billing_status: BillingStatus;
  customer_id?: string;
  event_name?: string;
  from?: string;
  to?: string;
};

/** All timestamps of events lie between them. */
const EVER = { from: '1970-01-01T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' };
/** Stands for an unknown `customer_id`: no customer has this key, since keys start at 1. */
const NOBODY = '0';

function listByStatus({ pool }: Deps, query: StatusQuery, page: EventPage) {
  const { environment_id, billing_status, customer_id, event_name = null } = query;
  const { from = EVER.from, to = EVER.to } = query;
  return readOnly(
    pool,
    async (db) => {
      const customer =
        customer_id === undefined ? null : await findCustomerKey(db, environment_id, customer_id);
      const customer_key = customer_id === undefined ? null : (customer?.key ?? NOBODY);
      const filter = { billing_status, customer_key, event_name, from, to };
      return listEventsByStatus(db, environment_id, { ...page, filter });
    },
    { statement_ms: SHORT_STATEMENT_MS },
  );
}

type Found = { environment_id: number; event: UsageEvent };

async function withBilling({ config }: Deps, db: Db, { environment_id, event }: Found) {
  const billing = await billingOfEvent(db, { environment_id, event_id: event.id }, config);
  return { ...event, billing };
}

export const eventRoutes = [list, read];
