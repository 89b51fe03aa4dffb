import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { readConfig } from '../../../src/settings/config.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { connectTemporal } from '../../../src/temporal/temporal.ts';
import { atEnd } from '../../support/servers/at-end.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { startService, type Service } from './processes.ts';

const DAY_MS = 86_400_000;
const OUTAGE_MS = 120_000;
/** The reconciler finds a missed nudge within a minute, or in the next minute if its first attempt failed or was late. */
const FOUND_WITHIN_MS = 180_000;
const CLIENTS = 6;
const POSTING_MS = 12_000;

type Subscription = { id: string; customer_id: string };

/**
 * Kills real processes during their work. The tests depend on their order: Temporal is down for two minutes while the tests without
 * Temporal run, and the period of `across` ends in that time.
 */
describe('faults', function () {
  this.timeout(600_000);
  let service: Service;
  let database: pg.Pool;
  let across: Subscription;
  let held: Subscription;
  let outage_began_at: number;

  before(async () => {
    service = await startService();
    database = new pg.Pool({ connectionString: service.stack.database_url, max: 5 });
    database.on('error', () => undefined);
    held = await subscribe(service.stack.test_key, {});
    await post(held.customer_id, service.stack.test_key, 7);
    await advance(held, 40, { hold_drafts: true });
    // A period of one day that ends in 30 seconds.
    const start_date = new Date(Date.now() - DAY_MS + 30_000).toISOString();
    across = await subscribe(service.stack.live_key, { start_date }, 'day');
    await eventually(() => runs(across), Boolean);
    await service.stopTemporal();
    outage_began_at = Date.now();
  });
  after(() => database.end());

  async function call<Body>(
    key: string,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Body }> {
    const response = await fetch(`${service.stack.api_url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(70_000),
    });
    return { status: response.status, body: (await response.json()) as Body };
  }

  async function done<Body>(key: string, method: string, path: string, body?: object): Promise<Body> {
    const answer = await call<Body>(key, method, path, body);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async function subscribe(key: string, dates: object, interval = 'month'): Promise<Subscription> {
    const customer_id = newRequestId();
    await done(key, 'POST', '/v1/customers', { external_id: customer_id });
    await done(key, 'POST', '/v1/credit-grants', { customer_id, amount: 3, rollover: true });
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' }];
    const plan = await done<{ id: string }>(key, 'POST', '/v1/pricing-plans', {
      name: 'Plan',
      interval,
      charges,
    });
    return done(key, 'POST', '/v1/subscriptions', { customer_id, plan_id: plan.id, ...dates });
  }

  async function post(customer_id: string, key: string, count: number): Promise<void> {
    const events = Array.from({ length: count }, () => ({
      event_name: 'api_call',
      customer_id,
      idempotency_key: newRequestId(),
    }));
    await done(key, 'POST', '/v1/events/batch', { events });
  }

  function advance({ customer_id }: Subscription, days: number, options: object = {}) {
    const to = new Date(Date.now() + days * DAY_MS).toISOString();
    return call(service.stack.test_key, 'POST', '/v1/test-clock/advance', { customer_id, to, ...options });
  }

  async function invoicesOf({ id }: Subscription, key: string): Promise<Invoice[]> {
    return (await done<{ data: Invoice[] }>(key, 'GET', `/v1/invoices?subscription_id=${id}`)).data;
  }

  /** True once the subscription's workflow has opened the period, that is, has read its rows. */
  async function runs({ id }: Subscription): Promise<boolean> {
    const { rowCount } = await database.query('select from periods where subscription_id = $1', [id]);
    return rowCount === 1;
  }

  /** Locks the row that an issue updates last, until `release`: an issue in progress waits in the middle of a close. */
  async function stopIssuing(): Promise<{
    somebodyWaits: () => Promise<unknown>;
    release: () => Promise<void>;
  }> {
    const client = new pg.Client({ connectionString: service.stack.database_url });
    atEnd(() => client.end());
    await client.connect();
    await client.query('begin');
    // As strong as an update of the last number, and no stronger: rows that refer to the environment can be stored.
    await client.query('select from environments for no key update');
    const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%last_invoice_number%'`;
    return {
      somebodyWaits: () =>
        eventually(
          () => database.query(waiting),
          ({ rowCount }) => rowCount! > 0,
        ),
      release: async () => {
        await client.query('commit');
        await client.end();
      },
    };
  }

  async function assertWhole(subscription: Subscription, key: string, total: string): Promise<void> {
    const invoices = await invoicesOf(subscription, key);
    assert.deepEqual(
      invoices.map(({ status, total, credits_applied }) => [status, total, credits_applied]),
      [['open', total, '3']],
    );
    const { rows } = await database.query(
      `select l.type, l.amount::text from credit_ledger l where l.invoice_id = $1`,
      [invoices[0]!.id],
    );
    assert.deepEqual(rows, [{ type: 'drawn', amount: '-3' }]);
  }

  it('Postgres restarts while clients post: every acknowledged event is stored once', async () => {
    const { customer_id } = held;
    const acknowledged: string[] = [];
    const until = Date.now() + POSTING_MS;
    const client = async (singly: boolean) => {
      while (Date.now() < until) {
        const events = Array.from({ length: singly ? 1 : 40 }, () => ({
          event_name: 'other',
          customer_id,
          idempotency_key: newRequestId(),
        }));
        // Retries with the same keys until the response is a 2xx.
        const path = singly ? '/v1/events' : '/v1/events/batch';
        const send = () =>
          call(service.stack.test_key, 'POST', path, singly ? events[0] : { events }).catch(() => ({
            status: 0,
          }));
        await eventually(send, ({ status }) => status >= 200 && status < 300);
        acknowledged.push(...events.map(({ idempotency_key }) => idempotency_key));
      }
    };
    const posting = Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index % 2 === 0)));
    for (let restart = 0; restart < 2; restart++) {
      await pause(2500);
      await service.stopPostgres();
      await service.startPostgres();
    }
    await posting;
    const { rows } = await database.query<{ stored: number; keys: number; found: number }>(
      `select count(*)::int as stored, count(distinct idempotency_key)::int as keys,
         (count(*) filter (where idempotency_key = any($1)))::int as found
       from events where event_name = 'other'`,
      [acknowledged],
    );
    assert.ok(acknowledged.length > 500, `${acknowledged.length} acknowledged`);
    const count = acknowledged.length;
    assert.deepEqual(rows[0], { stored: count, keys: count, found: count });
  });

  it('the API is killed in the middle of a close: the draft is complete, and a retry issues it once', async () => {
    const { test_key } = service.stack;
    const [draft] = await invoicesOf(held, test_key);
    const issuing = await stopIssuing();
    const path = `/v1/invoices/${draft!.id}/finalize`;
    const cut_off = call(test_key, 'POST', path).catch(() => 'cut off');
    await issuing.somebodyWaits();
    service.kill('api');
    assert.equal(await cut_off, 'cut off');
    await issuing.release();
    const again = () => call(test_key, 'POST', path).catch(() => ({ status: 0 }));
    await eventually(again, ({ status }) => status === 200 || status === 409);
    await assertWhole(held, test_key, '4.00');
  });

  it('Temporal is down for two minutes over the end of a period: subscriptions are accepted, the invoice follows', async () => {
    const taken = await subscribe(service.stack.live_key, {
      start_date: new Date(Date.now() - 40 * DAY_MS).toISOString(),
    });
    assert.deepEqual(await invoicesOf(taken, service.stack.live_key), []);
    await pause(Math.max(0, outage_began_at + OUTAGE_MS - Date.now()));
    assert.deepEqual(await invoicesOf(across, service.stack.live_key), []);
    await service.startTemporal();
    for (const subscription of [across, taken]) {
      const invoices = await eventually(
        () => invoicesOf(subscription, service.stack.live_key),
        ([invoice]) => invoice?.status === 'paid',
        FOUND_WITHIN_MS,
      );
      assert.equal(invoices.length, 1);
    }
  });

  it('the worker is killed in the middle of a close: the next worker completes the close once', async () => {
    const { test_key } = service.stack;
    const subscription = await subscribe(test_key, {});
    await post(subscription.customer_id, test_key, 9);
    const issuing = await stopIssuing();
    const advancing = advance(subscription, 40);
    await issuing.somebodyWaits();
    service.kill('worker');
    await issuing.release();
    // Temporal gives the lost activity to the next worker after its timeout, which can be later than the request's.
    if ((await advancing).status !== 200) {
      await eventually(
        () => invoicesOf(subscription, test_key),
        ([invoice]) => invoice?.status === 'open',
        150_000,
      );
    }
    await assertWhole(subscription, test_key, '6.00');
  });

  it('the whole Temporal database is lost: every live subscription gets its workflow again', async () => {
    const { rows: live } = await database.query<{ id: string }>(
      'select id from subscriptions where finished_at is null',
    );
    assert.ok(live.length >= 4);
    await service.loseTemporal();
    const { temporal_address } = service.stack;
    const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: temporal_address }));
    const running = async () => {
      const ids: string[] = [];
      for await (const id of temporal.runningIds()) ids.push(id);
      return ids.sort();
    };
    const expected = live.map(({ id }) => id).sort();
    await eventually(
      () => running().catch(() => []),
      (found) => isDeepStrictEqual(found, expected),
      120_000,
    );
    await temporal.close();
    // After 80 days two months have ended, and never three, whatever the day: from 30 November three take 90 days.
    assert.equal((await advance(held, 80)).status, 200);
    assert.equal((await invoicesOf(held, service.stack.test_key)).length, 2);
  });
});
