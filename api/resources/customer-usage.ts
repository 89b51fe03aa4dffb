import { Type, type Static } from 'typebox';
import { listUsage, type UsageGroup, type UsageRow } from '../../src/db/usage/customer-usage.ts';
import { findCustomerKey, type CustomerKey } from '../../src/db/customers/customers.ts';
import { LONG_STATEMENT_MS, readOnly } from '../../src/db/connection/pool.ts';
import { invalid } from '../../src/domain/money/errors.ts';
import { UTC } from '../../src/domain/time/local-time.ts';
import { latest } from '../../src/domain/time/period.ts';
import { flattened, pagesAfter } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/customers.ts';
import { AggregationObject } from '../../src/objects/invoice.ts';
import { listResponse } from '../routing/list.ts';
import { checkRange } from '../schema/range.ts';
import { route } from '../routing/route.ts';
import { CONTROL, Identifier, Instant, listOf, PAGE, Timezone } from '../schema/schemas.ts';
import { ResponseDecimal, responseObject, exactly, nullable } from '../../src/objects/parts.ts';

const DEFAULT_RANGE_MS = 30 * 86_400_000;
/** Events may be 24 hours ahead of the customer's now (contract.md 2); 1 ms more, because `to` is exclusive. */
const AHEAD_MS = 86_400_000 + 1;
const RANGE_DAYS_MAX = 366;
const HOURS_RANGE_DAYS_MAX = 31;
/** A page counts all events of the range, so pages are few. */
const CSV_PAGE_ROWS = 5000;
const LONG = { statement_ms: LONG_STATEMENT_MS };

const GroupBy = Type.String({
  pattern: `^(day|hour|property:[^${CONTROL}]{1,255})$`,
  'x-fault': 'must be day, hour, or property: and a name',
  description: '`day`, `hour`, or `property:NAME`.',
  examples: ['day'],
});

const UsageObject = responseObject('Usage', {
  event_name: Type.String(),
  charge_id: Type.String(),
  plan_id: Type.String({ description: 'The plan that has the charge.' }),
  plan_name: Type.String(),
  plan_version: nullable(Type.Integer({ description: 'The version of the plan; null without a key.' })),
  aggregation: AggregationObject,
  group: nullable(
    Type.String({
      description:
        'The start of the day or hour, or the value of the property as text; null if the usage is not grouped.',
    }),
  ),
  quantity: ResponseDecimal,
});

const FILTERS = {
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  event_name: Type.Optional(Identifier),
  group_by: Type.Optional(GroupBy),
  timezone: Type.Optional({
    ...Timezone,
    description: 'The time zone of the days of `group_by=day`; by default UTC.',
  }),
};
const AllFilters = exactly(FILTERS);

const list = route({
  method: 'get',
  path: '/v1/customers/{id}/usage',
  operation_id: 'listCustomerUsage',
  tag: 'Customers',
  summary:
    "A customer's usage for each charge of its subscriptions; by default, of the last 30 days and of future timestamps",
  query: exactly({ ...FILTERS, ...PAGE }),
  examples: examples.usage,
  responses: { 200: listOf(UsageObject) },
  may_take_long: true,
  handle: async (request) => {
    const { db, caller, params, query } = request;
    const { environment_id } = caller;
    const customer = await findCustomerKey(db, environment_id, params['id']!);
    if (customer === null) throw notFoundError();
    const { cursor: _, limit: __, ...filters } = query;
    const question = askedOf(environment_id, customer, query);
    const { group } = question;
    return listResponse(request, {
      name: 'customer_usage',
      filters: { customer_id: customer.id, ...filters },
      fetch: async ({ before, limit }) => {
        const after = before === null ? null : positionOf(before);
        const { from, to } = after ?? rangeOf(query, group, customer);
        const rows = await listUsage(db, { ...question, from, to }, { after, limit });
        return rows.map((row) => ({ id: textOfPosition({ from, to }, row), row }));
      },
      show: ({ row: { place: ___, ...usage } }) => usage,
    });
  },
});

const csv = csvRoute({
  path: '/v1/customers/{id}/usage.csv',
  operation_id: 'exportCustomerUsage',
  tag: 'Customers',
  summary: "A customer's usage as a CSV file, with the filters and the order of the list",
  query: AllFilters,
  row: exactly({ customer_id: Type.String(), ...UsageObject.properties }),
  may_take_long: true,
  pages: async function* ({ deps, caller, params, query }) {
    const { environment_id } = caller;
    const customer = await findCustomerKey(deps.pool, environment_id, params['id']!);
    if (customer === null) throw notFoundError();
    const usage = askedOf(environment_id, customer, query);
    const question = { ...usage, ...rangeOf(query, usage.group, customer) };
    const rows = pagesAfter<UsageRow>(CSV_PAGE_ROWS, (after) =>
      readOnly(deps.pool, (db) => listUsage(db, question, { after, limit: CSV_PAGE_ROWS }), LONG),
    );
    yield* flattened(rows, (row) => [{ customer_id: customer.external_id, ...row }]);
  },
});

/** The customer whose usage is read, and how it is grouped. */
function askedOf(
  environment_id: number,
  { id: customer_id, key: customer_key }: { id: string; key: string },
  query: Static<typeof AllFilters>,
) {
  const { event_name = null } = query;
  return { environment_id, customer_id, customer_key, event_name, group: groupOf(query) };
}

/** Throws invalid_request for a time zone without days to group by. */
function groupOf({ group_by, timezone }: Static<typeof AllFilters>): UsageGroup {
  if (group_by === 'day') return { by: 'day', timezone: timezone ?? UTC };
  if (timezone !== undefined)
    throw invalid('timezone', 'not_allowed', 'timezone is only for group_by=day, whose days it is of');
  if (group_by === undefined) return { by: 'nothing' };
  if (group_by === 'hour') return { by: 'hour' };
  return { by: 'property', property: group_by.slice('property:'.length) };
}

type Range = { from: string; to: string };

/**
 * The range of the first page. Without `to` it ends after the latest possible event, a day ahead of now; that day does
 * not count towards the maximum length. Throws invalid_request if the range is too long for its grouping, or if events
 * in it are archived.
 */
function rangeOf(query: Partial<Range>, group: UsageGroup, { now, archived_to }: CustomerKey): Range {
  const { from = instantAfter(query.to ?? now, -DEFAULT_RANGE_MS), to = instantAfter(now, AHEAD_MS) } = query;
  checkRange({ from, to });
  if (archived_to !== null && from < archived_to)
    throw invalid(
      'from',
      'archived',
      `from must not be before ${archived_to}: the events before it are archived`,
    );
  const measured_to = query.to ?? latest(from, now);
  checkRange({ from, to: measured_to }, group.by === 'hour' ? HOURS_RANGE_DAYS_MAX : RANGE_DAYS_MAX);
  return { from, to };
}

function instantAfter(instant: string, ms: number): string {
  return new Date(Date.parse(instant) + ms).toISOString();
}

/** The cursor contains the range, because a range that depends on now would change from page to page. */
function textOfPosition({ from, to }: Range, { charge_id, place }: UsageRow): string {
  return [from, to, charge_id, place ?? ''].join(' ');
}

function positionOf(text: string) {
  const [from, to, charge_id, ...place] = text.split(' ');
  // An empty text stands for null: a real place is never empty, because it ends with a hash.
  return { from: from!, to: to!, charge_id: charge_id!, place: place.join(' ') || null };
}

export const customerUsageRoutes = [list, csv];
