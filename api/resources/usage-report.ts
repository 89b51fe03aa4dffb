import { Type } from 'typebox';
import { findCustomerKey } from '../../src/db/customers.ts';
import { readUsageReport } from '../../src/db/usage/usage-report.ts';
import * as shown from '../reference/examples/events.ts';
import { checkRange } from '../schema/range.ts';
import { route } from '../routing/route.ts';
import { Identifier, Instant } from '../schema/schemas.ts';
import { ResponseInstant, responseObject, exactly } from '../../src/objects/parts.ts';

const REPORT_DAYS_MAX = 31;
/** Stands for an unknown `customer_id`: no customer has this key, since keys start at 1. */
const NOBODY = '0';

const UsageReport = responseObject('UsageReport', {
  object: Type.Literal('usage_report'),
  from: ResponseInstant,
  to: ResponseInstant,
  data: Type.Array(
    responseObject('UsageReportDay', {
      day: Type.String({ ...ResponseInstant, description: 'The start of the day, midnight UTC.' }),
      accepted: Type.Integer({
        description: 'All events with a timestamp on this day: the sum of the other counts.',
      }),
      pending: Type.Integer({ description: 'Events that will be billed or are on a draft.' }),
      billed: Type.Integer(),
      late: Type.Integer({
        description: 'Events that arrived after their period was billed; they are on the next invoice.',
      }),
      too_late: Type.Integer({ description: 'Late events that only `regenerate` can bill.' }),
      trial: Type.Integer(),
      unrated: Type.Integer({ description: 'Events that no charge counts.' }),
    }),
    { description: 'Every day of the range. An event that several charges count is counted once.' },
  ),
});

const read = route({
  method: 'get',
  path: '/v1/usage-report',
  operation_id: 'getUsageReport',
  tag: 'Events',
  summary: 'Count events by day and billing status, for at most 31 days',
  query: exactly({ from: Instant, to: Instant, customer_id: Type.Optional(Identifier) }),
  examples: shown.report,
  responses: { 200: UsageReport },
  may_take_long: true,
  may_lag: true,
  handle: async ({ deps, db, caller, query }) => {
    const { environment_id } = caller;
    const { from, to, customer_id } = query;
    checkRange({ from, to }, REPORT_DAYS_MAX);
    const customer =
      customer_id === undefined ? null : await findCustomerKey(db, environment_id, customer_id);
    const customer_key = customer_id === undefined ? null : (customer?.key ?? NOBODY);
    const { late_usage_days } = deps.config;
    const data = await readUsageReport(db, { environment_id, customer_key, from, to, late_usage_days });
    return { status: 200, body: { object: 'usage_report', from, to, data } };
  },
});

export const usageReportRoutes = [read];
