import assert from 'node:assert/strict';
import { transaction } from '../../src/db/connection/pool.ts';
import { insertSubscription } from '../../src/db/subscriptions/subscriptions.ts';
import { openFirstPeriod } from '../../src/db/subscriptions/periods.ts';
import type { Json } from '../support/servers/api.ts';
import { newId, newRequestId } from '../../src/keys/ids.ts';
import { RECONCILE_SCHEDULE, SEARCH_ATTRIBUTES, workflowIdOf } from '../../workflows/messages.ts';
import { eventually } from '../support/servers/eventually.ts';
import { localActivityOf, runsOf, type HistoryEvent } from '../support/servers/histories.ts';
import { RETRIES_OF_LOST_TASKS } from '../support/servers/histories.ts';
import { loggedErrors } from '../support/servers/quiet-runtime.ts';
import { useStack } from '../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/ledger/subscriptions.ts';
import { firstPhase } from '../../src/domain/subscription/plan-phase.ts';

const MONTHLY = { interval: 'month', interval_count: 1, opens: false, minimum_amount: null } as const;
const HOUR_MS = 3_600_000;

describe('the workflow of a subscription', function () {
  const stack = useStack({ GRACE_PERIOD: '1h' });

  const { handleOf, read, aCustomerAndPlan, subscribe, invoicesOf, aHeldDraft } = subscriptionsOf(stack);

  async function attributesOf(id: string): Promise<Record<string, unknown>> {
    // The workflow may not exist yet: the API responds without waiting for it.
    const run = await handleOf(id)
      .describe()
      .catch(() => null);
    return Object.fromEntries(
      (run?.typedSearchAttributes.getAll() ?? []).map(({ key, value }) => [key.name, value]),
    );
  }

  it('catches up on past periods in order, and sleeps', async () => {
    const { id } = await subscribe({ start_date: daysAgo(100) });
    const invoices = await invoicesOf(
      id,
      (found) => found.filter(({ number }) => number !== null).length === 3,
    );
    const ends = invoices.map(({ period_end }) => period_end).reverse();
    assert.deepEqual(ends, [...ends].sort());
    const run = await eventually(
      () => handleOf(id).describe(),
      ({ historyLength }) => historyLength < 40,
    );
    assert.equal(run.status.name, 'RUNNING');
  });

  it('goes on for several periods in one run, and continues as a new one when a wait has ended', async function () {
    this.retries(RETRIES_OF_LOST_TASKS);
    const { test_key, done } = stack();
    const { customer_id, plan_id } = await aDailyTestSubscription();
    const dates = { customer_id, plan_id, start_date: new Date().toISOString() };
    const { id } = await done<{ id: string }>(test_key, 'POST', '/v1/subscriptions', dates);
    const periods = 12;
    for (let days = 1; days <= periods; days++) {
      const to = new Date(Date.now() + days * 86_400_000 + 1000).toISOString();
      await done(test_key, 'POST', '/v1/test-clock/advance', { customer_id, to });
    }
    const runs = await eventually(
      () => runsOf(stack().temporal, id),
      (found) => found.flatMap(billsOf).length === periods,
    );
    assert.ok(runs.length > 1 && runs.length < periods / 2, `${runs.length} runs`);
    // The clock has nudged it since, and a new run may have begun.
    assert.match(
      await detailsOf(id),
      /^\*\*Last bill:\*\* .*`aggregateUsage`: 1 line.*`issueInvoice`: open/m,
    );
    for (const events of runs.slice(0, -1)) {
      const last = events.findLastIndex((event) => event.markerRecordedEventAttributes);
      assert.ok(events.length >= 60, `${events.length} events`);
      // A signal that comes with the end of a run makes Temporal refuse the task: it must have nothing to repeat.
      assert.ok(
        events.slice(last).some((event) => event.workflowTaskStartedEventAttributes),
        'the last task of a run bills nothing',
      );
    }
  });

  const detailsOf = async (id: string): Promise<string> =>
    (await handleOf(id).query<Json>('__temporal_workflow_metadata')).currentDetails;

  async function aDailyTestSubscription(): Promise<{ customer_id: string; plan_id: string }> {
    const { test_key, done } = stack();
    const customer_id = `c-${newRequestId()}`;
    await done(test_key, 'POST', '/v1/customers', { external_id: customer_id });
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '10' }];
    const plan = { name: 'Daily', interval: 'day', charges };
    const { id: plan_id } = await done<{ id: string }>(test_key, 'POST', '/v1/pricing-plans', plan);
    return { customer_id, plan_id };
  }

  /** The starts of the periods that a run has billed. */
  function billsOf(events: readonly HistoryEvent[]): string[] {
    return events.flatMap((event) => localActivityOf(event)?.answer?.billed?.period_start ?? []);
  }

  it('shows in the list what it waits for', async () => {
    const { draft, subscription } = await aHeldDraft();
    const shown = await eventually(
      () => attributesOf(subscription.id),
      (attributes) => attributes[SEARCH_ATTRIBUTES.state.name] === 'draft_held',
    );
    assert.equal(shown[SEARCH_ATTRIBUTES.last_invoice.name], draft.id);
    assert.equal(shown[SEARCH_ATTRIBUTES.plan.name], subscription.plan_id);
    assert.match(String(shown[SEARCH_ATTRIBUTES.customer.name]), /^cus_/);
    const later = await subscribe({ start_date: new Date(Date.now() + HOUR_MS).toISOString() });
    const waits = await eventually(
      () => attributesOf(later.id),
      (attributes) => attributes[SEARCH_ATTRIBUTES.state.name] !== undefined,
    );
    assert.equal(waits[SEARCH_ATTRIBUTES.state.name], 'waits_for_start');
  });

  it('a draft takes late events until an operator ends its hold by a signal with only its id', async () => {
    const { subscription, draft } = await aHeldDraft();
    assert.deepEqual([draft.status, draft.total], ['draft', '0.00']);
    const { done, live_key } = stack();
    const event = { event_name: 'api_call', customer_id: subscription.customer_id, timestamp: daysAgo(0.5) };
    await done(live_key, 'POST', '/v1/events', { ...event, idempotency_key: newRequestId() });
    await handleOf(subscription.id).signal('finalizeInvoice', draft.id);
    const [issued] = await invoicesOf(subscription.id, ([invoice]) => invoice?.status === 'open');
    assert.deepEqual([issued!.id, issued!.total], [draft.id, '1.00']);
  });

  it('names the three steps of the last bill, and says where a person ended its hold', async () => {
    const { subscription, draft } = await aHeldDraft();
    const saying = (issued: RegExp) =>
      eventually(
        () => detailsOf(subscription.id),
        (details) => issued.test(details),
      );
    assert.match(await saying(/`issueInvoice`: held\.$/m), /`aggregateUsage`: .*`applyCredits`: 0 lines/);
    await stack().done(stack().live_key, 'POST', `/v1/invoices/${draft.id}/finalize`);
    await saying(/`issueInvoice`: held, and ended by hand\.$/m);
  });

  it('a hundred signals at once make one invoice', async () => {
    const { subscription, draft } = await aHeldDraft();
    const handle = handleOf(subscription.id);
    await Promise.all(
      Array.from({ length: 50 }, () => [
        handle.signal('finalizeInvoice', draft.id),
        handle.signal('wake'),
      ]).flat(),
    );
    const issued = await invoicesOf(subscription.id, ([invoice]) => invoice?.status === 'paid');
    assert.equal(issued.length, 1);
  });

  it('a subscription that cannot be billed waits for a person, others go on, and wake retries', async () => {
    const { pool } = stack();
    const { subscription, draft } = await aHeldDraft();
    await pool.query(
      `alter table invoices add constraint impossible check (id <> '${draft.id}' or status = 'draft') not valid`,
    );
    await handleOf(subscription.id).signal('finalizeInvoice', draft.id);
    const parked = await eventually(
      () => read(subscription.id),
      ({ attention }) => attention !== null,
    );
    assert.match(parked.attention!, /impossible/);
    await eventually(
      () => attributesOf(subscription.id),
      (attributes) => attributes[SEARCH_ATTRIBUTES.state.name] === 'needs_attention',
    );
    const other = await aHeldDraft();
    await stack().done(stack().live_key, 'POST', `/v1/invoices/${other.draft.id}/finalize`);
    await pool.query('alter table invoices drop constraint impossible');
    await handleOf(subscription.id).signal('wake');
    await invoicesOf(subscription.id, ([invoice]) => invoice?.status === 'paid');
    assert.equal((await read(subscription.id)).attention, null);
  });

  it('a charge that cannot be priced parks the subscription with a reason, which the API shows', async () => {
    const { pool, call, live_key } = stack();
    const { subscription, draft } = await aHeldDraft();
    const priced = (up_to: string | null) =>
      pool.query(
        `update charges set pricing = jsonb_build_object('pricing_model', 'volume', 'tiers',
           jsonb_build_array(jsonb_build_object('up_to', $2::text, 'unit_amount', '1', 'flat_amount', null)))
         where plan_id = $1`,
        [subscription.plan_id, up_to],
      );
    await priced('0');
    const event = { event_name: 'api_call', customer_id: subscription.customer_id, timestamp: daysAgo(0.5) };
    await stack().done(live_key, 'POST', '/v1/events', { ...event, idempotency_key: newRequestId() });
    const refused = await call<Json>(live_key, 'POST', `/v1/invoices/${draft.id}/finalize`);
    assert.deepEqual([refused.status, refused.body.error.details[0].reason], [409, 'impossible_to_bill']);
    await handleOf(subscription.id).signal('finalizeInvoice', draft.id);
    const { attention } = await eventually(
      () => read(subscription.id),
      (read_) => read_.attention !== null,
    );
    assert.equal(
      attention,
      'No tier of the charge covers the quantity 1, because its last tier has an upper limit.',
    );
    assert.equal(refused.body.error.message, attention);
    const isLogged = ({ message, meta }: (typeof loggedErrors)[number]) =>
      message === 'a subscription needs attention' &&
      meta?.['subscription_id'] === subscription.id &&
      meta['reason'] === attention;
    await eventually(
      () => Promise.resolve(loggedErrors),
      (logged) => logged.some(isLogged),
    );
    const answer = await call<Json>(live_key, 'POST', `/v1/invoices/${draft.id}/regenerate`);
    assert.deepEqual([answer.status, answer.body.error.message], [409, attention]);
    // In vain.
    await handleOf(subscription.id).signal('wake');
    await eventually(
      () => toldOf(subscription.id),
      (told) => told.filter((type) => type === 'subscription.needs_attention').length === 2,
    );
    await priced(null);
    await stack().done(live_key, 'POST', `/v1/subscriptions/${subscription.id}/wake`);
    const [issued] = await invoicesOf(subscription.id, ([invoice]) => invoice?.status === 'open');
    assert.equal(issued!.total, '1.00');
    const told = await eventually(
      () => toldOf(subscription.id),
      (types) => types.includes('subscription.recovered'),
    );
    const failures = told.flatMap((type) => /attention|recovered/.exec(type) ?? []);
    assert.deepEqual(failures, ['attention', 'attention', 'recovered']);
  });

  /** The types of what the feed tells of a subscription. */
  async function toldOf(id: string): Promise<string[]> {
    const path = `/v1/changes?object_id=${id}&limit=1000`;
    const { data } = await stack().done<{ data: Json[] }>(stack().live_key, 'GET', path);
    return data.map(({ type }) => type);
  }

  it('is started by the reconciler if it was terminated, or if its nudge was lost', async () => {
    const { temporal } = stack();
    const terminated = await subscribe({ start_date: daysAgo(1) });
    await eventually(
      () => attributesOf(terminated.id),
      (attributes) => attributes[SEARCH_ATTRIBUTES.state.name] === 'collecting_usage',
    );
    await handleOf(terminated.id).terminate('by mistake');
    const never_nudged = await subscriptionWithoutNudge();
    await eventually(
      () =>
        temporal.client.workflow.count(
          `WorkflowId = '${workflowIdOf(terminated.id)}' and ExecutionStatus = 'Running'`,
        ),
      ({ count }) => count === 0,
    );
    await temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
    for (const id of [terminated.id, never_nudged]) {
      await eventually(
        () =>
          handleOf(id)
            .describe()
            .catch(() => null),
        (run) => run?.status.name === 'RUNNING',
      );
    }
  });

  async function subscriptionWithoutNudge(): Promise<string> {
    const { pool } = stack();
    const { customer_id, plan_id } = await aCustomerAndPlan();
    const { rows } = await pool.query<{ environment_id: number; id: string }>(
      'select environment_id, id from customers where external_id = $1',
      [customer_id],
    );
    const id = newId('sub');
    const start_date = daysAgo(1);
    const dates = {
      start_date,
      trial_end_date: null,
      billing_anchor: null,
      anchor_is_day: false,
      timezone: 'UTC',
    };
    await transaction(pool, async (db) => {
      const { environment_id, id: customer } = rows[0]!;
      await insertSubscription(db, environment_id, {
        id,
        customer_id: customer,
        plan_id,
        ...dates,
        ...{ created_at: start_date, bill_at: null },
      });
      await openFirstPeriod(
        db,
        { environment_id, subscription_id: id },
        {
          ...{ ...dates, now: start_date },
          phases: [firstPhase({ ...MONTHLY, id: plan_id })],
        },
      );
    });
    return id;
  }
});
