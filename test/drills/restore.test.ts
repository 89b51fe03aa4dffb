import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDatabase } from '../../src/db/connection/prepare.ts';
import { startPostgres, type Postgres } from '../../dev/postgres.ts';
import { newRequestId } from '../../src/keys/ids.ts';
import { RECONCILE_SCHEDULE } from '../../workflows/messages.ts';
import type { Json } from '../support/servers/api.ts';
import { runCommand } from '../support/servers/command.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFolder } from '../support/servers/folder.ts';
import { assertSound } from '../support/ledger/sound.ts';
import { startStack, type Stack } from '../support/servers/stack.ts';
import { daysAgo } from '../support/ledger/subscriptions.ts';
import { temporalAddress } from '../support/servers/temporal.ts';

/** operations.md, backup and restore: Temporal remembers the numbers that the restored database has lost. */
describe('PostgreSQL is restored to an earlier moment, file by file', function () {
  this.timeout(180_000);
  let data_dir: string;
  let postgres: Postgres;
  let stack: Stack;
  let settings: Record<string, string>;
  const stops: (() => Promise<void>)[] = [];
  const live = (method: string, path: string, body?: object) =>
    stack.call<Json>(stack.live_key, method, path, body);
  const startDatabase = async () => {
    postgres = await startPostgres({ data_dir, durable: false, say: () => undefined });
  };
  const start = async () => {
    await startDatabase();
    stack = await startStack(settings, stops);
  };
  const stop = async () => {
    for (let end = stops.pop(); end !== undefined; end = stops.pop()) await end();
    await postgres.stop();
  };
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true });
    execFileSync('cp', ['-a', from, to]);
  };

  /** A subscription whose last `days` days are billed at once, with one invoice per day. */
  async function subscribe(days: number): Promise<string> {
    const customer_id = newRequestId();
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '1' }];
    await live('POST', '/v1/customers', { external_id: customer_id });
    const plan = await live('POST', '/v1/pricing-plans', { name: 'Plan', interval: 'day', charges });
    const sent = { customer_id, plan_id: plan.body.id, start_date: daysAgo(days + 0.5) };
    const { status, body } = await live('POST', '/v1/subscriptions', sent);
    assert.equal(status, 201, JSON.stringify(body));
    return body.id;
  }

  /** Invoice numbers in order, once there are `count`. */
  async function numbersOf(subscription_id: string, count: number): Promise<string[]> {
    const path = `/v1/invoices?subscription_id=${subscription_id}`;
    const issued = async (): Promise<string[]> =>
      ((await live('GET', path)).body.data ?? []).flatMap(({ number }: Json) => number ?? []);
    return (await eventually(issued, ({ length }) => length === count)).sort();
  }

  const setUp = (numbers: string) => runCommand(settings, 'setup', '--invoice-numbers-from', numbers);
  let kept: string;
  /** The newest number of the live feed before the restore. */
  let newest: number;
  let waiting: string;

  before(async () => {
    data_dir = await aFolder();
    await startDatabase();
    await prepareDatabase(postgres.url);
    settings = {
      DATABASE_URL: postgres.url,
      TEMPORAL_ADDRESS: await temporalAddress(),
      // A namespace of its own: Temporal stores the last numbers per namespace, and other tests reconcile in theirs.
      TEMPORAL_NAMESPACE: 'restore',
      GRACE_PERIOD: '0s',
    };
    stack = await startStack(settings, stops);
    const cluster = realpathSync(join(data_dir, 'postgres'));
    kept = await subscribe(3);
    assert.deepEqual(await numbersOf(kept, 3), ['INV-000001', 'INV-000002', 'INV-000003']);
    await stop();
    copy(cluster, `${cluster}.backup`);
    await start();
    assert.equal((await numbersOf(await subscribe(4), 4)).at(-1), 'INV-000007');
    newest = (await live('GET', '/v1/changes?limit=1')).body.newest_sequence;
    await stack.temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
    await eventually(stack.temporal.rememberedNumbers, (numbers) =>
      numbers.some(
        ({ last_number, last_sequence }) => last_number === '7' && Number(last_sequence) >= newest,
      ),
    );
    await stop();
    copy(`${cluster}.backup`, cluster);
    await start();
  });
  after(stop);

  it('the API issues no live invoice, from the start', async () => {
    const sent = { subscription_id: kept, close_now: true };
    const refused = async () => (await live('POST', '/v1/invoices/generate', sent)).body.error;
    const first = await eventually(refused, (error) => error?.code !== 'internal_error');
    assert.equal(first?.code, 'conflict');
    const { message, details } = await eventually(refused, ({ message }) => message.includes('was issued'));
    assert.equal(details[0].reason, 'invalid_state');
    assert.match(message, /^Live invoices wait: the last number here is 3, but 7 was issued .* live=7,/);
  });

  it('the feed goes on beyond every number that a client may have seen, and says so', async () => {
    const { body } = await eventually(
      () => live('GET', `/v1/changes?after=${newest}`),
      ({ status }) => status === 200,
    );
    const [first, ...rest] = body.data;
    assert.deepEqual([first.type, first.object_id], ['feed.restored', 'feed']);
    assert.ok(first.sequence > newest + 999_999 && first.data.last_sequence < newest, JSON.stringify(first));
    assert.deepEqual(
      rest.map(({ sequence }: Json) => sequence),
      rest.map((_: Json, place: number) => first.sequence + 1 + place),
    );
  });

  it('a subscription whose period ends needs a person, and shows the reason', async () => {
    waiting = await subscribe(2);
    const read = async () => (await live('GET', `/v1/subscriptions/${waiting}`)).body.attention;
    assert.match(
      await eventually(read, (attention) => attention !== null),
      /^Live invoices wait: .* live=7, /,
    );
  });

  it('test mode works, and the processes are ready', async () => {
    const { done, test_key, api_url } = stack;
    await done(test_key, 'POST', '/v1/customers', { external_id: 'acme' });
    const charges = [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '1' }];
    const plan = await done<Json>(test_key, 'POST', '/v1/pricing-plans', { name: 'Plan', charges });
    await done(test_key, 'POST', '/v1/subscriptions', { customer_id: 'acme', plan_id: plan.id });
    const to = new Date(Date.now() + 32 * 86_400_000).toISOString();
    const { invoices } = await done<Json>(test_key, 'POST', '/v1/test-clock/advance', {
      customer_id: 'acme',
      to,
    });
    assert.deepEqual(
      [invoices.length, invoices[0].status, (await fetch(`${api_url}/readyz`)).status],
      [1, 'open', 200],
    );
  });

  it('doctor reports it', async () => {
    const { code, stdout } = await runCommand(settings, 'doctor');
    assert.equal(code, 1);
    assert.match(stdout, /^fail +invoice numbers +Live invoices wait: .* live=7, /m);
  });

  it('setup refuses a number that was issued already', async () => {
    const { code, stderr } = await setUp('live=6');
    assert.deepEqual([code, stderr], [1, 'error: live=6 is below 7, the last number that was issued\n']);
  });

  it('after setup, numbering goes on above the last number in use, and no number is given twice', async () => {
    const { code, stdout, stderr } = await setUp('test=1,live=9');
    assert.equal(code, 0, stdout + stderr);
    assert.deepEqual(await numbersOf(waiting, 2), ['INV-000010', 'INV-000011']);
    assert.equal((await live('GET', `/v1/subscriptions/${waiting}`)).body.attention, null);
    await assertSound(stack.pool);
    const reconciled = await runCommand(settings, 'reconcile');
    assert.match(
      reconciled.stdout,
      /^I13 +environment 2, numbers 4 to 9: were skipped at .*: issued before the database was restored$/m,
    );
  });
});
