import { Type } from 'typebox';
import { LATE_SECONDS, unreadSeconds } from '../../src/db/changes/consumers.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { listRefundTroubles } from '../../src/db/collection/refund-troubles.ts';
import { countUndelivered } from '../../src/db/emails/email-counts.ts';
import { readLoginRefusal } from '../../src/db/emails/sender.ts';
import { findHalt } from '../../src/db/invoicing/numbering.ts';
import {
  countEventsAhead,
  countEventsByDay,
  listAttention,
  rangeOfHome,
  readStart,
  SELLER_LACKS,
} from '../../src/db/account/home.ts';
import { listItemsWithoutInvoice } from '../../src/db/invoicing/invoice-items.ts';
import { countCustomersSetAside, listSetAside, type Job } from '../../src/db/customers/set-aside.ts';
import { readStatusCounts } from '../../src/db/reports/usage-report.ts';
import { listTroubledEndpoints } from '../../src/db/webhooks/endpoints.ts';
import { isAtLeast } from '../../src/domain/people/role.ts';
import { ENDPOINTS_MAX } from '../../src/domain/feed/webhook.ts';
import { WebhookEndpointObject } from '../../src/objects/webhook-endpoint.ts';
import { COUNTS } from '../resources/usage-report.ts';
import { readReport } from '../routing/report.ts';
import { route } from '../routing/route.ts';
import { ResponseInstant, responseObject, nullable, oneOf } from '../../src/objects/parts.ts';
import { ITEMS_WITHOUT_INVOICE_MAX, ItemWithoutInvoice } from './items.ts';
import { PaymentTroubles, readPaymentTroubles } from './payment-troubles.ts';
import { REFUND_TROUBLES_MAX, RefundTrouble } from './refund-troubles.ts';

const DAYS = 30;
const ATTENTION_MAX = 20;
const SET_ASIDE_MAX = 20;

/** The work of a job that fails for a customer, as a sentence for people; the error itself is for operators. */
const SET_ASIDE_REASONS: Readonly<Record<Job, string>> = {
  rollup: 'The daily totals of its usage are not kept: its invoices read every event and take longer.',
  usage_report: 'The counts of its events by billing status are not kept: the usage report shows older ones.',
  expired_credit: 'Its expired credit is not written off: no invoice uses this credit.',
};

const START = {
  steps: responseObject('FirstSteps', {
    key: Type.Boolean(),
    customer: Type.Boolean(),
    plan: Type.Boolean(),
    subscription: Type.Boolean(),
    event: Type.Boolean(),
    seller: Type.Boolean({ description: 'Whether it lacks nothing.' }),
    finance: Type.Boolean({
      description: 'Whether two people, invited ones too, have the role finance or admin.',
    }),
    invoice: Type.Boolean(),
  }),
  seller_lacks: Type.Array(oneOf(SELLER_LACKS), {
    description: 'Members of the account that are still to be set.',
  }),
};

const Start = responseObject('Start', {
  object: Type.Literal('start'),
  ...START,
  has_issued: Type.Boolean({ description: 'Whether any invoice has been issued.' }),
});

const Home = responseObject('Home', {
  object: Type.Literal('home'),
  numbering_halt: nullable(
    Type.String({
      description: 'Why live invoices are not issued; shown in test mode too. Null if they are.',
    }),
  ),
  ...START,
  events_by_day: Type.Array(responseObject('EventsOfDay', { day: Type.String(), count: Type.String() }), {
    description: 'Of 30 days, oldest first.',
  }),
  events_ahead: Type.String({
    description: 'Events of the days after today (UTC): in test data, of test clocks that are ahead.',
  }),
  unrated_alarm_percent: Type.Integer({
    description: 'A greater share of unrated events, of those of 30 days, raises an alarm.',
  }),
  attention: Type.Array(
    responseObject('Attention', {
      subscription_id: Type.String(),
      customer_id: Type.String(),
      reason: Type.String(),
    }),
  ),
  items_without_invoice: Type.Array(ItemWithoutInvoice, {
    description: `Pending items of subscriptions that have ended, so that no invoice follows: the ${ITEMS_WITHOUT_INVOICE_MAX} newest.`,
  }),
  webhook_endpoints: Type.Array(WebhookEndpointObject, {
    description: `Endpoints that are parked or whose deliveries fail: at most ${ENDPOINTS_MAX}, for admins alone.`,
  }),
  changes_late_seconds: Type.Number({
    description: 'Age of the oldest change that has no number yet, where it is above 10; else 0.',
  }),
  emails: responseObject('EmailTroubles', {
    stopped: nullable(
      responseObject('StoppedEmails', {
        refused_at: ResponseInstant,
        refusal: Type.String({ description: 'Words of the mail server, which refuses the login.' }),
      }),
    ),
    undelivered: Type.Integer({ description: 'Emails of four days that were refused or failed.' }),
  }),
  refunds: Type.Array(RefundTrouble, {
    description: `Refunds and disputes that a person has to look at: the ${REFUND_TROUBLES_MAX} newest.`,
  }),
  payments: PaymentTroubles,
  set_aside: responseObject('SetAside', {
    customers: Type.Integer({
      description: 'All of them, each once; a customer is in the list for each job that fails for it.',
    }),
    data: Type.Array(
      responseObject('CustomerSetAside', {
        customer_id: Type.String(),
        job: oneOf(['rollup', 'expired_credit', 'usage_report']),
        reason: Type.String({
          description: 'In words for people. The error itself is in the output of `tidemark doctor`.',
        }),
        failed_at: ResponseInstant,
      }),
    ),
  }),
});

const read = route({
  method: 'get',
  path: '/dashboard/api/home',
  operation_id: 'getHome',
  tag: 'Dashboard',
  session_only: true,
  summary: 'Get the content of the home page',
  responses: { 200: Home },
  handle: async ({ deps, db, caller: { environment_id, user } }) => ({
    status: 200,
    body: {
      object: 'home',
      numbering_halt: await findHalt(db, environment_id),
      ...(await readSteps(db, environment_id)),
      events_by_day: await countEventsByDay(db, environment_id, DAYS),
      events_ahead: await countEventsAhead(db, environment_id),
      unrated_alarm_percent: deps.config.unrated_alarm_percent,
      attention: await listAttention(db, environment_id, ATTENTION_MAX),
      items_without_invoice: await listItemsWithoutInvoice(db, environment_id, {
        customer_id: null,
        limit: ITEMS_WITHOUT_INVOICE_MAX,
      }),
      webhook_endpoints: isAtLeast(user!.role, 'admin')
        ? await listTroubledEndpoints(db, environment_id, ENDPOINTS_MAX)
        : [],
      changes_late_seconds: await readLateness(db),
      emails: {
        stopped: await readLoginRefusal(db),
        undelivered: await countUndelivered(db, environment_id),
      },
      refunds: await listRefundTroubles(db, environment_id, REFUND_TROUBLES_MAX),
      payments: await readPaymentTroubles(db, environment_id),
      set_aside: await readSetAside(db, environment_id),
    },
  }),
});

const statuses = route({
  method: 'get',
  path: '/dashboard/api/event-statuses',
  operation_id: 'getEventStatuses',
  tag: 'Dashboard',
  session_only: true,
  summary: `Count the events of ${DAYS} days by billing status, in test data with those ahead of real time`,
  responses: {
    200: responseObject('EventStatuses', {
      object: Type.Literal('event_statuses'),
      from: ResponseInstant,
      to: ResponseInstant,
      ...COUNTS,
    }),
  },
  transaction: false,
  may_take_long: true,
  handle: async ({ deps, caller: { environment_id } }) => ({
    status: 200,
    body: await readReport(deps, async (db) => {
      const range = await rangeOfHome(db, environment_id, DAYS);
      const scope = { environment_id, customer_key: null, event_name: null, ...range };
      return { object: 'event_statuses' as const, ...range, ...(await readStatusCounts(db, scope)) };
    }),
  }),
});

const start = route({
  method: 'get',
  path: '/dashboard/api/start',
  operation_id: 'getStart',
  tag: 'Dashboard',
  session_only: true,
  summary: 'Get the first steps that the environment has taken',
  responses: { 200: Start },
  handle: async ({ db, caller: { environment_id } }) => {
    const { seller_lacks, has_issued, ...steps } = await readStart(db, environment_id);
    return { status: 200, body: { object: 'start', steps, seller_lacks, has_issued } };
  },
});

async function readSteps(db: Db, environment_id: number) {
  const { seller_lacks, has_issued: _, ...steps } = await readStart(db, environment_id);
  return { steps, seller_lacks };
}

/** The age of the oldest change without a number where it is too great, else 0. */
async function readLateness(db: Db): Promise<number> {
  const seconds = await unreadSeconds(db, 'feed');
  return seconds > LATE_SECONDS ? Math.round(seconds) : 0;
}

async function readSetAside(db: Db, environment_id: number) {
  const listed = await listSetAside(db, SET_ASIDE_MAX, environment_id);
  return {
    customers: await countCustomersSetAside(db, environment_id),
    data: listed.map(({ customer_id, job, failed_at }) => ({
      customer_id,
      job,
      reason: SET_ASIDE_REASONS[job],
      failed_at,
    })),
  };
}

export const homeRoutes = [read, statuses, start];
