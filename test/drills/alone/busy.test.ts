import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Client, Connection } from '@temporalio/client';
import { readConfig } from '../../../src/settings/config.ts';
import { workflowIdOf } from '../../../workflows/messages.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { localActivityOf, type HistoryEvent } from '../../support/servers/histories.ts';
import { started, type Started } from '../../support/servers/npm-start.ts';

const BUSY_PROGRAMS = 8;
const LIVE = 100;
const TEST_CUSTOMERS = 10;
const MONTHS = 3;
/** Signals that one request for an advance may cause. One that ran out of its time is sent again, and begins with a nudge again. */
const SIGNALS_A_REQUEST = 10;
/** How often Temporal may time out a task of one workflow: a slow machine loses one now and then, but none goes on beginning again. */
const TASKS_LOST = 3;
const GIVEN_UP_MS = 20 * 60_000;
const DAY_MS = 86_400_000;

type Invoice = {
  subscription_id: string;
  status: string;
  total: string;
  number: string;
  period_start: string;
};

/** Decision 42, a busy machine makes billing slower, never stuck: beside programs that never sleep, at normal priority. Counts alone are asserted. */
describe('closes on a busy machine', function () {
  this.timeout(GIVEN_UP_MS + 300_000);
  let stack: Started;
  let temporal: Client;

  before(async () => {
    stack = await started(await aFolder(), [], { GRACE_PERIOD: '0s' });
    const connection = await Connection.connect({ address: stack.file.temporal_address });
    atEnd(() => connection.close());
    temporal = new Client({ connection, namespace: readConfig().temporal_namespace });
    for (let place = 0; place < BUSY_PROGRAMS; place++) {
      const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
      atEnd(async () => void busy.kill('SIGKILL'));
    }
  });

  async function send<Body>(
    key: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ requests: number; body: Body }> {
    for (let requests = 1; ; requests++) {
      const response = await fetch(stack.file.api_url + path, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // As a client does: a full queue, or an advance that goes on.
      const { status } = response;
      const received = (await response.json()) as Body;
      if (status < 400) return { requests, body: received };
      assert.ok(status === 429 || status === 500, JSON.stringify(received));
    }
  }

  async function aPlan(key: string, interval: string): Promise<string> {
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '10' }];
    const { body } = await send<{ id: string }>(key, 'POST', '/v1/pricing-plans', {
      name: 'Plan',
      interval,
      charges,
    });
    return body.id;
  }

  async function aSubscription(
    key: string,
    customer_id: string,
    plan_id: string,
    dates: object,
  ): Promise<string> {
    await send(key, 'POST', '/v1/customers', { external_id: customer_id });
    const subscription = { customer_id, plan_id, ...dates };
    const { body } = await send<{ id: string }>(key, 'POST', '/v1/subscriptions', subscription);
    return body.id;
  }

  async function invoicesOf(key: string): Promise<Invoice[]> {
    const found: Invoice[] = [];
    for (let cursor = ''; ;) {
      const path = `/v1/invoices?limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const { body } = await send<{ data: Invoice[]; next_cursor: string | null }>(key, 'GET', path);
      found.push(...body.data);
      if (body.next_cursor === null) return found;
      cursor = body.next_cursor;
    }
  }

  async function historyOf(subscription_id: string): Promise<HistoryEvent[]> {
    const events: HistoryEvent[] = [];
    for (let run_id = ''; ;) {
      const handle = temporal.workflow.getHandle(workflowIdOf(subscription_id), run_id);
      const history = (await handle.fetchHistory()).events!;
      events.unshift(...history);
      run_id = history[0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId!;
      if (run_id === '') return events;
    }
  }

  it('make all invoices, none twice, with few signals, and no task that begins again and again', async () => {
    const { live_key, test_key } = stack.file;
    const ends_at = Date.now() + 60_000;
    const dates = { start_date: new Date(ends_at - DAY_MS).toISOString() };
    const live_plan = await aPlan(live_key, 'day');
    const live: string[] = [];
    for (let at = 0; at < LIVE; at++)
      live.push(await aSubscription(live_key, `live-${at}`, live_plan, dates));
    const test_plan = await aPlan(test_key, 'month');
    const tests = Array.from({ length: TEST_CUSTOMERS }, async (_, at) => {
      const customer_id = `test-${at}`;
      const id = await aSubscription(test_key, customer_id, test_plan, {});
      const to = new Date(Date.now() + (MONTHS * 31 + 1) * DAY_MS).toISOString();
      const { requests } = await send(test_key, 'POST', '/v1/test-clock/advance', { customer_id, to });
      return { id, requests };
    });
    const advanced = await Promise.all(tests);
    const of_test = advanced.map(({ id }) => id);
    const requests = Math.max(...advanced.map((one) => one.requests));
    const issued = await eventually(
      () => invoicesOf(live_key),
      (found) => found.filter(({ status }) => status === 'open').length >= LIVE,
      GIVEN_UP_MS,
    );
    const billed = [...issued, ...(await invoicesOf(test_key))];
    const periods = billed.map(({ subscription_id, period_start }) => `${subscription_id} ${period_start}`);
    assert.equal(new Set(periods).size, periods.length);
    assert.deepEqual(
      new Set(billed.map(({ status, total }) => `${status} ${total}`)),
      new Set(['open 10.00']),
    );
    for (const id of live) assert.equal(issued.filter((one) => one.subscription_id === id).length, 1);
    for (const id of of_test) assert.ok(billed.filter((one) => one.subscription_id === id).length >= MONTHS);
    const histories = await Promise.all([...live, ...of_test].map(historyOf));
    const counts = histories.map((events) => {
      const bills = events.flatMap((event) => localActivityOf(event)?.answer?.billed?.period_start ?? []);
      return {
        twice: bills.length - new Set(bills).size,
        regular: events.filter((event) => event.activityTaskScheduledEventAttributes).length,
        signals: events.filter((event) => event.workflowExecutionSignaledEventAttributes).length,
        timed_out: events.filter((event) => event.workflowTaskTimedOutEventAttributes).length,
      };
    });
    const most = (name: keyof (typeof counts)[number]) => Math.max(...counts.map((one) => one[name]));
    assert.deepEqual([most('twice'), most('regular')], [0, 0]);
    const signals = `${most('signals')} signals, ${requests} requests`;
    assert.ok(most('signals') <= SIGNALS_A_REQUEST * requests, signals);
    const disturbed = counts.filter((one) => one.timed_out > 0).length;
    console.log(
      `      ${disturbed} of ${counts.length} workflows lost a task, at most ${most('timed_out')} each`,
    );
    assert.ok(most('timed_out') <= TASKS_LOST, `${most('timed_out')} tasks of a workflow timed out`);
  });
});
