import { Type, type Static } from 'typebox';
import { findCustomerKey } from '../../src/db/customers/customers.ts';
import {
  readUsageReport,
  REPORT_GROUPS,
  type ReportGroup,
  type ReportRow,
} from '../../src/db/reports/usage-report.ts';
import { exactly, nullable, oneOf, ResponseInstant, responseObject } from '../../src/objects/parts.ts';
import * as examples from '../reference/examples/events.ts';
import { listResponse } from '../routing/list.ts';
import { readReport } from '../routing/report.ts';
import { route } from '../routing/route.ts';
import { checkRange } from '../schema/range.ts';
import { Identifier, Instant, PAGE } from '../schema/schemas.ts';

const REPORT_DAYS_MAX = 31;
/** Stands for an unknown `customer_id`: no customer has this key, since keys start at 1. */
const NOBODY = '0';

/** Numbers of events by billing status. */
export const COUNTS = {
  accepted: Type.Integer({
    description: 'All events of the range in this group: the sum of the other counts.',
  }),
  pending: Type.Integer({ description: 'Events that will be billed or are on a draft.' }),
  billed: Type.Integer(),
  late: Type.Integer({
    description: 'Events that arrived after their period was billed; they are on the next invoice.',
  }),
  too_late: Type.Integer({ description: 'Late events that only `regenerate` can bill.' }),
  trial: Type.Integer(),
  unrated: Type.Integer({ description: 'Events that no charge counts.' }),
};

const UsageReportDay = responseObject('UsageReportDay', {
  day: Type.String({ ...ResponseInstant, description: 'The start of the day, midnight UTC.' }),
  ...COUNTS,
});
const UsageReportEventName = responseObject('UsageReportEventName', { event_name: Type.String(), ...COUNTS });
const UsageReportCustomer = responseObject('UsageReportCustomer', { customer_id: Type.String(), ...COUNTS });

const UsageReport = responseObject('UsageReport', {
  object: Type.Literal('usage_report'),
  from: ResponseInstant,
  to: ResponseInstant,
  group_by: oneOf(REPORT_GROUPS),
  as_of: Type.String({
    ...ResponseInstant,
    description:
      'The instant as of which the counts are exact: what was stored or changed since may not be in them. Usually now; while much is ' +
      'stored or billed at once, some seconds or minutes ago.',
  }),
  data: Type.Array(Type.Union([UsageReportDay, UsageReportEventName, UsageReportCustomer]), {
    description:
      'By day, every day of the range, in order. By event name, the names with events, in order. By customer, the customers with events, ' +
      'newest first. An event that several charges count is counted once.',
  }),
  has_more: Type.Boolean(),
  next_cursor: nullable(Type.String()),
});

const read = route({
  method: 'get',
  path: '/v1/usage-report',
  operation_id: 'getUsageReport',
  tag: 'Events',
  summary: 'Count events by billing status, for at most 31 days',
  description:
    'By day, event name or customer. A range of whole days (UTC) is read from daily counts, however many events it has; of a day that it ' +
    'cuts, the events are read.',
  query: exactly({
    from: Instant,
    to: Instant,
    customer_id: Type.Optional(Identifier),
    event_name: Type.Optional(Identifier),
    group_by: Type.Optional(oneOf(REPORT_GROUPS, { default: 'day' })),
    ...PAGE,
  }),
  examples: examples.report,
  responses: { 200: UsageReport },
  transaction: false,
  may_take_long: true,
  handle: async (request) => {
    const { deps, caller } = request;
    const { environment_id } = caller;
    const { cursor: _, limit: __, group_by = 'day', ...filters } = request.query;
    const { from, to, customer_id, event_name = null } = filters;
    checkRange({ from, to }, REPORT_DAYS_MAX);
    let as_of = to;
    const { status, body } = await listResponse(request, {
      name: 'usage_report',
      filters: { ...filters, group_by },
      fetch: ({ before, limit }) =>
        readReport(deps, async (db) => {
          const customer =
            customer_id === undefined ? null : await findCustomerKey(db, environment_id, customer_id);
          const customer_key = customer_id === undefined ? null : (customer?.key ?? NOBODY);
          const query = {
            environment_id,
            customer_key,
            event_name,
            from,
            to,
            group_by,
            after: before,
            limit,
          };
          const report = await readUsageReport(db, query);
          ({ as_of } = report);
          return report.rows.map((row) => ({ id: row.key, row }));
        }),
      show: ({ row }) => shownRow(group_by, row),
    });
    return { status, body: { ...body, object: 'usage_report', from, to, group_by, as_of } };
  },
});

function shownRow(
  group_by: ReportGroup,
  { key, customer_id, counts }: ReportRow,
): Static<typeof UsageReport>['data'][number] {
  switch (group_by) {
    case 'day':
      return { day: key, ...counts };
    case 'event_name':
      return { event_name: key, ...counts };
    case 'customer':
      return { customer_id: customer_id!, ...counts };
  }
}

export const usageReportRoutes = [read];
