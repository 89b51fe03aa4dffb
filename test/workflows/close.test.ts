import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import {
  activityOf,
  localActivityOf,
  RETRIES_OF_LOST_TASKS,
  runsOf,
  valuesOf,
  type HistoryEvent,
} from '../support/servers/histories.ts';
import { useStack } from '../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/ledger/subscriptions.ts';

type Running = ReturnType<typeof useStack>;

/** The activities and timers of a subscription, in their order; a local activity is recorded when its workflow task ends. */
const doneBy = (stack: Running, subscription_id: string) => async (): Promise<string[]> => {
  const events = await eventsOf(stack, subscription_id);
  const done = events.flatMap((event) =>
    event.timerStartedEventAttributes ? ['timer'] : (activityOf(event) ?? []),
  );
  // The signal that starts the workflow may arrive with it or during its first step.
  return done.filter((name, at) => !(at > 0 && name === 'timer' && done[at - 1] === 'timer'));
};

/** Empty until the workflow is there: the API answers before. */
const eventsOf = async (stack: Running, subscription_id: string): Promise<HistoryEvent[]> =>
  (await runsOf(stack().temporal, subscription_id).catch(() => [])).flat();

const billsOf = async (stack: Running, subscription_id: string) =>
  (await eventsOf(stack, subscription_id)).flatMap((event) => localActivityOf(event)?.answer?.billed ?? []);

const soon = () => ({
  start_date: daysAgo(1),
  // Later than a busy machine needs to start the workflow.
  billing_anchor: new Date(Date.now() + 12_000).toISOString(),
});

describe('the close of a period', function () {
  this.timeout(180_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });
  const { subscribe, aCustomerAndPlan, handleOf, invoicesOf, read } = subscriptionsOf(stack);

  it('is one local activity when its timer fires, whose answer names the three steps and the next one', async function () {
    this.retries(RETRIES_OF_LOST_TASKS);
    const { id } = await subscribe(soon());
    const [issued] = await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    const done = await eventually(doneBy(stack, id), (found) => found.length >= 4);
    assert.deepEqual(done.slice(-4), ['billNext', 'timer', 'billNext', 'timer']);
    const [billed] = await billsOf(stack, id);
    assert.deepEqual(billed, {
      period_start: issued!.period_start,
      period_end: issued!.period_end,
      aggregateUsage: { invoice_id: issued!.id, line_items: 1 },
      applyCredits: { line_items: 0 },
      issueInvoice: { status: 'paid' },
    });
  });

  it('that fails is done by regular activities, which are retried until they succeed', async () => {
    const { pool } = stack();
    const { customer_id, plan_id } = await aCustomerAndPlan();
    await pool.query('alter table line_items rename to line_items_elsewhere');
    const dates = { start_date: daysAgo(1), billing_anchor: daysAgo(0.5) };
    const { id } = await subscribe({ customer_id, plan_id, ...dates });
    const failed = await eventually(doneBy(stack, id), (found) => found.includes('aggregateUsage'));
    const tail = failed.slice(failed.indexOf('nextStep') - 1);
    assert.deepEqual(tail, ['billNext', 'nextStep', 'aggregateUsage']);
    await pool.query('alter table line_items_elsewhere rename to line_items');
    await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    assert.equal((await read(id)).attention, null);
    const events = await eventsOf(stack, id);
    const regular = events.flatMap((event) => event.activityTaskScheduledEventAttributes ?? []);
    assert.deepEqual(
      regular.map(({ activityType }) => activityType!.name),
      ['nextStep', 'aggregateUsage', 'applyCredits', 'issueInvoice'],
    );
    for (const { input } of regular.slice(1))
      assert.deepEqual(Object.keys(valuesOf(input)[0]).sort(), [
        ...['environment_id', 'period_start', 'revision', 'subscription_id'],
      ]);
  });

  it('that is heavy is done by regular activities', async () => {
    const { pool } = stack();
    const { customer_id } = await aCustomerAndPlan();
    const aggregation = { type: 'unique', property: 'user' };
    const charges = [{ event_name: 'login', pricing_model: 'per_unit', unit_amount: '1', aggregation }];
    const plan = { name: 'Daily', interval: 'day', charges };
    const { id: plan_id } = await stack().done<{ id: string }>(
      stack().live_key,
      'POST',
      '/v1/pricing-plans',
      plan,
    );
    await pool.query(
      `insert into usage_days (environment_id, customer_key, event_name, property, day, events, skipped_events,
         first_stored_at, last_stored_at, last_epoch, last_xid)
       select environment_id, key, 'login', '', date_trunc('day', now() - interval '36 hours', 'UTC'), 1000001, 0, now(),
         now(), 1, '1'
       from customers where external_id = $1`,
      [customer_id],
    );
    const { id } = await subscribe({ start_date: daysAgo(2.5), customer_id, plan_id });
    await invoicesOf(id, (invoices) => invoices.filter(({ status }) => status === 'paid').length === 2);
    const done = await eventually(doneBy(stack, id), (found) => found.at(-1) === 'timer');
    const steps = ['aggregateUsage', 'applyCredits', 'issueInvoice'];
    assert.deepEqual(
      done.slice(-9),
      ['billNext', ...steps, 'billNext', ...steps, 'billNext', 'timer'].slice(-9),
    );
    assert.deepEqual(await billsOf(stack, id), []);
    const { currentDetails } = await handleOf(id).query<Json>('__temporal_workflow_metadata');
    const shown =
      /^\*\*Last bill:\*\* .*`aggregateUsage`: the lines on `inv_.*`applyCredits`: done\. `issueInvoice`: done\.$/m;
    assert.match(currentDetails, shown);
    await pool.query('delete from usage_days where events = 1000001');
  });

  it('of a member that the database refuses parks it alone, and the others of its group are billed', async () => {
    const { pool } = stack();
    const dates = soon();
    const [refused, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => subscribe(dates)));
    await pool.query(
      `alter table invoices add constraint refused check (subscription_id <> '${refused!.id}') not valid`,
    );
    for (const { id } of others) await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    const parked = await eventually(
      () => read(refused!.id),
      ({ attention }) => attention !== null,
    );
    assert.match(parked.attention!, /refused/);
    const { rows } = await pool.query(
      'select from periods where subscription_id = $1 and closed_at is not null',
      [refused!.id],
    );
    assert.equal(rows.length, 0);
    await pool.query('alter table invoices drop constraint refused');
    const { rows: keys } = await pool.query('select environment_id from subscriptions where id = $1', [
      refused!.id,
    ]);
    const key = { environment_id: keys[0].environment_id, subscription_id: refused!.id };
    await stack().temporal.nudge([key], 'wake');
    await invoicesOf(refused!.id, ([invoice]) => invoice?.status === 'paid');
  });
});

describe('the close of a period whose draft is held', function () {
  this.timeout(180_000);
  const stack = useStack({ GRACE_PERIOD: '6s' });
  const { subscribe, invoicesOf } = subscriptionsOf(stack);

  it('is two local activities: one for the draft, and one that counts again and issues once the hold ends', async function () {
    this.retries(RETRIES_OF_LOST_TASKS);
    const { id } = await subscribe(soon());
    await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    const bills = await eventually(
      () => billsOf(stack, id),
      (found) => found.length === 2,
    );
    assert.deepEqual(
      bills.map(({ issueInvoice }) => issueInvoice),
      [null, { status: 'paid' }],
    );
    const done = await eventually(doneBy(stack, id), (found) => found.at(-1) === 'timer');
    assert.deepEqual(done.slice(-6), ['billNext', 'timer', 'billNext', 'timer', 'billNext', 'timer']);
  });
});
