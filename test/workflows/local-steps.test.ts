import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { localActivityOf, runsOf, valuesOf, type HistoryEvent } from '../support/histories.ts';
import { useStack } from '../support/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/subscriptions.ts';

const DAY_MS = 86_400_000;
/** Histories hold these names, so none is ever changed. */
const STEP = ['environment_id', 'foreseen', 'issue', 'period_start', 'revision', 'subscription_id'];

/** Decision 35: the first try of a step of a close is a local activity. */
describe('local steps of a close', function () {
  this.timeout(180_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });
  const { subscribe, aCustomerAndPlan, invoicesOf, read } = subscriptionsOf(stack);
  const eventsOf = async (id: string) => (await runsOf(stack().temporal, id).catch(() => [])).flat();
  /** Two periods are over: the first is billed as an answer of nextStep says, the second as an answer of issueInvoice says. */
  const twoPeriods = () => ({ start_date: daysAgo(2.5) });

  async function aDailyPlan(charges: object[]): Promise<string> {
    const plan = { name: 'Daily', interval: 'day', charges };
    return (await stack().done<{ id: string }>(stack().live_key, 'POST', '/v1/pricing-plans', plan)).id;
  }

  it('each is recorded with its summary, and no regular activity runs when a period ends', async () => {
    const plan_id = await aDailyPlan([{ event_name: 'fee', pricing_model: 'flat', flat_amount: '10' }]);
    // Ends by its timer, which no signal disturbs, and later than a busy machine needs to start the workflow.
    const start_date = new Date(Date.now() - DAY_MS + 12_000).toISOString();
    const { customer_id } = await aCustomerAndPlan();
    const { id } = await subscribe({ start_date, plan_id, customer_id });
    await invoicesOf(id, ([invoice]) => invoice?.status === 'open');
    const closed = await eventually(
      async () => afterTimer(await eventsOf(id)),
      (events) => stepsIn(events).length > 0,
    );
    assert.deepEqual(stepsIn(closed), ['local aggregateUsage', 'local applyCredits', 'local issueInvoice']);
    const summaries = closed
      .filter((event) => localActivityOf(event) !== null)
      .map((event) => Buffer.from(event.userMetadata!.summary!.data!).toString());
    const day = new Date(Date.parse(start_date) + DAY_MS).toISOString().slice(0, 10);
    assert.deepEqual(summaries, [`"usage until ${day}"`, `"credit until ${day}"`, `"invoice of ${day}"`]);
  });

  it('one that fails is followed by the regular activity, which is retried until it succeeds', async () => {
    const { pool } = stack();
    const { customer_id, plan_id } = await aCustomerAndPlan();
    await pool.query('alter table line_items rename to line_items_elsewhere');
    const dates = { start_date: daysAgo(1), billing_anchor: daysAgo(0.5) };
    const { id } = await subscribe({ customer_id, plan_id, ...dates });
    const failed = await eventually(
      () => eventsOf(id),
      (events) => stepsIn(events).includes('aggregateUsage'),
    );
    assert.deepEqual(stepsIn(failed), ['nextStep', 'local aggregateUsage', 'aggregateUsage']);
    await pool.query('alter table line_items_elsewhere rename to line_items');
    await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    assert.equal((await read(id)).attention, null);
    // Local activities are recorded once the workflow task has ended.
    const events = await eventually(
      () => eventsOf(id),
      (found) => stepsIn(found).includes('local issueInvoice'),
    );
    // If the worker's guard woke the workflow meanwhile, another question follows.
    assert.deepEqual(stepsIn(events).slice(2, 5), [
      'aggregateUsage',
      'local applyCredits',
      'local issueInvoice',
    ]);
    assert.deepEqual(askedOf(events, 'aggregateUsage'), STEP);
  });

  it('a heavy bill runs as regular activities', async () => {
    const { pool } = stack();
    const { customer_id } = await aCustomerAndPlan();
    const plan_id = await aDailyPlan([
      {
        event_name: 'login',
        pricing_model: 'per_unit',
        unit_amount: '1',
        aggregation: { type: 'unique', property: 'user' },
      },
    ]);
    await pool.query(
      `insert into usage_days (environment_id, customer_key, event_name, property, day, events, skipped_events, first_stored_at,
         last_stored_at, last_epoch, last_xid)
       select environment_id, key, 'login', '', date_trunc('day', now(), 'UTC') - interval '2 days', 1000001, 0, now(), now(), 1, '1'
       from customers where external_id = $1`,
      [customer_id],
    );
    const { id } = await subscribe({ ...twoPeriods(), customer_id, plan_id });
    await invoicesOf(id, (invoices) => invoices.filter(({ status }) => status === 'paid').length === 2);
    const events = await eventsOf(id);
    const regular = billingOf(events).filter((step) => !step.startsWith('local'));
    assert.deepEqual(regular.slice(0, 3), ['aggregateUsage', 'applyCredits', 'issueInvoice']);
    for (const step of ['aggregateUsage', 'applyCredits', 'issueInvoice'])
      assert.deepEqual(askedOf(events, step), STEP);
    await pool.query('delete from usage_days where events = 1000001');
  });
});

/** The activities of a run in their order; a local one is recorded when it ends. */
function stepsIn(events: readonly HistoryEvent[]): string[] {
  return events.flatMap((event) => {
    const local = localActivityOf(event);
    return local === null
      ? (event.activityTaskScheduledEventAttributes?.activityType?.name ?? [])
      : [`local ${local.name}`];
  });
}

/** The events after the timer of the first period has fired. */
function afterTimer(events: readonly HistoryEvent[]): readonly HistoryEvent[] {
  const fired = events.findIndex((event) => event.timerFiredEventAttributes);
  return fired === -1 ? [] : events.slice(fired);
}

/** The steps without questions: the signal that started the first run may arrive with it or after its first question. */
const billingOf = (events: readonly HistoryEvent[]) =>
  stepsIn(events).filter((step) => !step.endsWith('nextStep'));

/** Member names of what a regular activity is asked. */
function askedOf(events: readonly HistoryEvent[], name: string): string[] {
  const scheduled = events.find(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === name,
  );
  return Object.keys(valuesOf(scheduled!.activityTaskScheduledEventAttributes!.input)[0] as object).sort();
}
