import { Type } from 'typebox';
import { BillingError, notFound } from '../../src/domain/money/errors.ts';
import { findCustomer } from '../../src/db/customers/customers.ts';
import { noteExpiries } from '../../src/db/credit/noted-expiries.ts';
import { noteStatuses } from '../../src/db/subscriptions/noted-status.ts';
import { noteChangesOfPlan } from '../../src/db/subscriptions/plan-changes.ts';
import { noteOverdue } from '../../src/db/invoicing/overdue.ts';
import { invoicesOfSpan } from '../../src/db/invoicing/invoices.ts';
import { subscriptionsOfCustomer } from '../../src/db/subscriptions/live-subscriptions.ts';
import { transaction, type Db } from '../../src/db/connection/pool.ts';
import { timedByClock } from '../../src/db/collection/open-attempts.ts';
import { remindAtClock } from '../../src/emails/remind.ts';
import { beginAdvance, countPeriodsLeft } from '../../src/billing/close/advance-clock.ts';
import { lookAtClock, lookBeforeMove } from '../../src/billing/close/threshold.ts';
import {
  claimReport,
  dueSubscriptions,
  noteAtClock,
  stepClock,
} from '../../src/db/subscriptions/test-clock.ts';
import * as examples from '../reference/examples/invoices.ts';
import { Identifier, Instant } from '../schema/schemas.ts';
import { exactly, ResponseInstant, responseObject } from '../../src/objects/parts.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { route } from '../routing/route.ts';
import { createPauses } from './pauses.ts';
import type { Deps } from '../http/deps.ts';

const ADVANCE_TIMEOUT_MS = 55_000;
/** Subscriptions, grants and invoices of a customer; the workers' sweeps note the rest. */
const NOTED_MAX = 500;
/**
 * Time after which a nudge is repeated if nothing moved: it doubles up to the maximum, and begins anew once something
 * has moved.
 */
const NUDGE_INTERVAL_MS = { first: 2000, max: 60_000 };

type Customer = { environment_id: number; customer_id: string };

const advance = route({
  method: 'post',
  path: '/v1/test-clock/advance',
  operation_id: 'advanceTestClock',
  tag: 'Test clock',
  summary: "Move a test customer's time forward and bill every period that ends by the new time",
  description:
    'At most five years and 100 periods per call. With `hold_drafts`, invoices stay drafts until they are finalized, or until ' +
    'the next advance without `hold_drafts`. If you send several requests at the same time, each invoice is in one of the responses.',
  body: exactly({ customer_id: Identifier, to: Instant, hold_drafts: Type.Optional(Type.Boolean()) }),
  examples: examples.advance,
  responses: {
    200: responseObject('TestClock', {
      object: Type.Literal('test_clock'),
      customer_id: Type.String({ description: "The customer's `external_id`." }),
      now: ResponseInstant,
      invoices: Type.Array(InvoiceObject),
    }),
  },
  test_mode_only: true,
  // Each step of the clock and each close is a transaction of its own. A retry continues where the request stopped.
  transaction: false,
  may_take_long: true,
  handle: async ({ deps, db, caller, act, body }) => {
    const { environment_id } = caller;
    const customer = await findCustomer(db, environment_id, body.customer_id);
    if (customer === null)
      throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
    const key = { environment_id, customer_id: customer.id };
    const { to, hold_drafts = false } = body;
    await transaction(deps.pool, (client) => beginAdvance(client, key, { to, hold_drafts }), { act });
    const periods_left = await countPeriodsLeft(deps.pool, key, to);
    await walk(deps, key, async () => {
      const unbilled = await countPeriodsLeft(deps.pool, key, to);
      return notInTime(periods_left - unbilled, unbilled);
    });
    await transaction(deps.pool, (client) => noteOfClock(client, key), { act });
    const invoices = await transaction(deps.pool, async (client) =>
      invoicesOfSpan(client, key, { ...(await claimReport(client, key, to)), to }),
    );
    return {
      status: 200,
      body: { object: 'test_clock', customer_id: customer.external_id, now: to, invoices },
    };
  },
});

export const testClockRoutes = [advance];

/** Notes what only the clock has changed, and reminds, so that all of it is there before the response. */
async function noteOfClock(db: Db, key: Customer): Promise<void> {
  const of_customer = { customer_id: key.customer_id, limit: NOTED_MAX };
  await noteStatuses(db, of_customer);
  await noteChangesOfPlan(db, of_customer);
  await noteExpiries(db, of_customer);
  await noteOverdue(db, of_customer);
  await remindAtClock(db, key);
}

/**
 * Moves the clock from one period end to the next and waits at each until the workflows have billed it. Bills what has
 * come to `bill_at` before it moves and when it has arrived (billing.md 15). Throws the error of `lateness` after
 * ADVANCE_TIMEOUT_MS, or if Temporal cannot be reached.
 */
async function walk(deps: Deps, customer: Customer, lateness: () => Promise<BillingError>): Promise<void> {
  const deadline = performance.now() + ADVANCE_TIMEOUT_MS;
  const step = () =>
    transaction(deps.pool, async (client) => {
      await remindAtClock(client, customer);
      return stepClock(client, customer);
    });
  const untilBilled = async () => {
    if (!(await isBilledInTime(deps, customer, deadline))) throw await lateness();
  };
  await untilBilled();
  if (await transaction(deps.pool, (client) => lookBeforeMove(client, customer, deps.config)))
    await untilBilled();
  for (let arrived = false; !arrived;) {
    arrived = await step();
    await untilBilled();
  }
  const looked = await transaction(deps.pool, (client) => lookAtClock(client, customer, deps.config));
  if (looked.length > 0) await untilBilled();
  await transaction(deps.pool, (client) => noteAtClock(client, customer));
  const { environment_id, customer_id } = customer;
  const subscriptions = await subscriptionsOfCustomer(deps.pool, environment_id, customer_id);
  await deps.nudge(subscriptions, 'advanceClock');
  await deps.wakeCollections(await timedByClock(deps.pool, customer));
}

/**
 * Waits until nothing is due; false if that takes too long, or if Temporal cannot be reached. Sends one nudge at a time
 * to each workflow.
 */
async function isBilledInTime(deps: Deps, customer: Customer, deadline: number): Promise<boolean> {
  const { environment_id } = customer;
  const pause = createPauses();
  let seen = '';
  let interval_ms = NUDGE_INTERVAL_MS.first;
  for (let nudge_at = 0, is_repeated = false; ;) {
    const due = await dueSubscriptions(deps.pool, customer);
    if (due.length === 0) return true;
    const now = performance.now();
    if (now > deadline) return false;
    if (due.join() !== seen) {
      seen = due.join();
      interval_ms = NUDGE_INTERVAL_MS.first;
      nudge_at = Math.min(nudge_at, now + interval_ms);
    }
    if (now >= nudge_at) {
      const workflows = due.map((subscription_id) => ({ environment_id, subscription_id }));
      if ((await deps.nudge(workflows, 'advanceClock', { is_repeated })) === 0) return false;
      is_repeated = true;
      nudge_at = performance.now() + interval_ms;
      interval_ms = Math.min(2 * interval_ms, NUDGE_INTERVAL_MS.max);
    }
    await pause();
  }
}

function notInTime(billed: number, unbilled: number): BillingError {
  const message = `${billed} periods are billed and ${unbilled} are left; send the same request again to continue`;
  return new BillingError('internal_error', [{ param: null, reason: 'not_in_time', message }], 5);
}
