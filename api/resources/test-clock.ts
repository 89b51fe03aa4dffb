import { Type } from 'typebox';
import { BillingError, notFound } from '../../src/domain/errors.ts';
import { findCustomer } from '../../src/db/customers/customers.ts';
import { invoicesOfSpan } from '../../src/db/invoicing/invoices.ts';
import { subscriptionsOfCustomer } from '../../src/db/subscriptions/live-subscriptions.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import { beginAdvance } from '../../src/billing/advance-clock.ts';
import { claimReport, dueSubscriptions, stepClock } from '../../src/db/subscriptions/test-clock.ts';
import * as examples from '../reference/examples/invoices.ts';
import { Identifier, Instant } from '../schema/schemas.ts';
import { exactly, ResponseInstant, responseObject } from '../../src/objects/parts.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { route } from '../routing/route.ts';
import { createPauses } from './pauses.ts';
import type { Deps } from '../http/deps.ts';

const ADVANCE_TIMEOUT_MS = 55_000;
const NUDGE_INTERVAL_MS = 2000;

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
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id } = caller;
    const customer = await findCustomer(db, environment_id, body.customer_id);
    if (customer === null)
      throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
    const key = { environment_id, customer_id: customer.id };
    const { to, hold_drafts = false } = body;
    await transaction(deps.pool, (client) => beginAdvance(client, key, { to, hold_drafts }));
    await walk(deps, key);
    const invoices = await transaction(deps.pool, async (client) =>
      invoicesOfSpan(client, key, { after: await claimReport(client, key, to), to }),
    );
    return {
      status: 200,
      body: { object: 'test_clock', customer_id: customer.external_id, now: to, invoices },
    };
  },
});

export const testClockRoutes = [advance];

/**
 * Moves the clock from one period end to the next and waits at each until the workflows have billed it. Throws internal_error
 * (`not_in_time`) after ADVANCE_TIMEOUT_MS, or if Temporal cannot be reached.
 */
async function walk(deps: Deps, customer: Customer): Promise<void> {
  const deadline = performance.now() + ADVANCE_TIMEOUT_MS;
  const step = () => transaction(deps.pool, (client) => stepClock(client, customer));
  await untilNothingIsDue(deps, customer, deadline);
  for (let arrived = false; !arrived;) {
    arrived = await step();
    await untilNothingIsDue(deps, customer, deadline);
  }
  const { environment_id, customer_id } = customer;
  const subscriptions = await subscriptionsOfCustomer(deps.pool, environment_id, customer_id);
  await deps.nudge(subscriptions, 'advanceClock');
}

async function untilNothingIsDue(deps: Deps, customer: Customer, deadline: number): Promise<void> {
  let due = await dueSubscriptions(deps.pool, customer);
  const pause = createPauses();
  for (let nudge_at = 0; due.length > 0; due = await dueSubscriptions(deps.pool, customer)) {
    if (performance.now() > deadline) throw notInTime();
    if (performance.now() >= nudge_at) {
      await nudgeAll(deps, customer, due);
      nudge_at = performance.now() + NUDGE_INTERVAL_MS;
    }
    await pause();
  }
}

async function nudgeAll(deps: Deps, { environment_id }: Customer, ids: readonly string[]): Promise<void> {
  const reached = await deps.nudge(
    ids.map((subscription_id) => ({ environment_id, subscription_id })),
    'advanceClock',
  );
  if (reached === 0) throw notInTime();
}

function notInTime(): BillingError {
  const message = 'not all periods are billed yet; send the same request again to continue';
  return new BillingError('internal_error', [{ param: null, reason: 'not_in_time', message }], 5);
}
