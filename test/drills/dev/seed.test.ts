import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { aFolder } from '../../support/servers/folder.ts';
import { assertSound } from '../../support/ledger/sound.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DAY_MS = 86_400_000;

function seed(
  settings: Readonly<Record<string, string>>,
  ...options: string[]
): Promise<{ code: number; output: string }> {
  const { DATABASE_URL: _, ...inherited } = inheritedEnvironment();
  const env = { ...inherited, ...settings };
  const args = ['dev/seed.ts', ...options];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: ROOT, env }, (error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? (error === null ? 0 : 1), output: stdout + stderr }),
    );
  });
}

describe('npm run seed', function () {
  let api: TestApi;
  let database_url: string;
  let output: string;
  before(async () => {
    database_url = await createDatabase();
    api = await startApi({ database_url });
    const options = ['--events', '3001', '--customers', '7', '--days', '60', '--names', '3'];
    const seeded = await seed({ DATABASE_URL: database_url }, ...options);
    assert.equal(seeded.code, 0, seeded.output);
    output = seeded.output;
  });
  after(() => api.close());

  /** All events of a list, page by page. */
  async function allEvents(filter = ''): Promise<Json[]> {
    const events: Json[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await api.request(`/v1/events?limit=200${filter}${cursor}`);
      assert.equal(status, 200);
      events.push(...body.data);
      if (body.next_cursor === null) return events;
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  it('stores events that the API lists, spread evenly up to now for each customer', async () => {
    const events = await allEvents();
    assert.equal(events.length, 3001);
    assert.equal(new Set(events.map(({ id }) => id)).size, 3001);
    const ages = events.map(({ timestamp, created_at }) => Date.parse(created_at) - Date.parse(timestamp));
    const within = (age_ms: number, [low, high]: [number, number]) =>
      low * DAY_MS < age_ms && age_ms < high * DAY_MS;
    assert.ok(within(Math.min(...ages), [0, 1]) && within(Math.max(...ages), [59, 61]));
    const names = new Map<string, number>();
    for (const { event_name } of events) names.set(event_name, (names.get(event_name) ?? 0) + 1);
    // Each of 7 customers has 428 or 429 events, names in turn: a third per name, with a difference of at most 1 per customer.
    assert.deepEqual([...names.keys()].sort(), ['api_call_0', 'api_call_1', 'api_call_2']);
    for (const count of names.values()) assert.ok(Math.abs(count - 3001 / 3) < 7, `${count}`);
    const [, prefix] = /customers (seeded-\w+)-0 to/.exec(output)!;
    // 3,001 = 7 x 428 + 5: the first five customers have one more.
    assert.equal((await allEvents(`&customer_id=${prefix}-4`)).length, 429);
    const last = await allEvents(`&customer_id=${prefix}-5`);
    assert.equal(last.length, 428);
    const gaps = last
      .slice(1)
      .map(({ timestamp }, at) => Date.parse(last[at].timestamp) - Date.parse(timestamp));
    const gap_ms = (60 * DAY_MS) / 428;
    for (const gap of gaps) assert.ok(Math.abs(gap - gap_ms) < 2, `${gap}`);
  });

  it('stores events under the same keys as ingest', async () => {
    const events = (await api.request('/v1/events?limit=200')).body.data.map(
      ({ event_name, customer_id, idempotency_key, timestamp, properties }: Json) => ({
        ...{ event_name, customer_id, idempotency_key, timestamp, properties },
      }),
    );
    const again = await api.post('/v1/events/batch', { events });
    assert.deepEqual([again.status, again.body.created, again.body.duplicates], [201, 0, 200]);
    const other = await api.post('/v1/events', { ...events[0], event_name: 'another' });
    assert.equal(other.status, 409);
  });

  it('subscribes every customer if there are few, and breaches no invariant', async () => {
    const { body } = await api.request('/v1/subscriptions');
    assert.equal(body.data.length, 7);
    const { line_items } = (await api.request(`/v1/subscriptions/${body.data[0].id}/upcoming-invoice`)).body;
    assert.equal(line_items.length, 2);
    for (const { quantity } of line_items) assert.ok(Number(quantity) > 0);
    await assertSound(api.pool);
  });

  it('adds to existing data, by default in the database of the running stack', async () => {
    const folder = await aFolder();
    writeFileSync(join(folder, 'stack.json'), JSON.stringify({ database_url }));
    const seeded = await seed({ TIDEMARK_DATA_DIR: folder }, '--events', '2', '--customers', '3');
    assert.equal(seeded.code, 0, seeded.output);
    assert.equal((await allEvents()).length, 3003);
  });

  it('says what is missing, and changes nothing', async () => {
    const folder = await aFolder();
    const here = { DATABASE_URL: database_url };
    const few = ['--events', '1'];
    const cases: [Record<string, string>, string[], number, RegExp][] = [
      [here, [], 2, /^--events is missing\nUsage: npm run seed/],
      [here, ['--events', '1.5'], 2, /^--events must be a whole number from 1 to 1000000000, not "1.5"/],
      [here, [...few, '--days', '3651'], 2, /^--days must be a whole number from 1 to 3650, not "3651"/],
      [{ ...here, NODE_ENV: 'production' }, few, 1, /^NODE_ENV is production/],
      [{ TIDEMARK_DATA_DIR: folder }, few, 1, /^No stack is running in .*\. Start a stack with: npm start/],
      [{ DATABASE_URL: await createDatabase() }, few, 1, /^the database has no account yet/],
    ];
    for (const [settings, options, expected, said] of cases) {
      const { code, output: text } = await seed(settings, ...options);
      assert.match(text, said);
      assert.equal(code, expected);
    }
    assert.equal((await allEvents()).length, 3003);
  });
});
