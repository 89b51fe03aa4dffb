import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Json } from '../support/servers/api.ts';
import { aServer, write, type Fault } from './front.ts';

const CLIENT = new URL('../../sdk/typescript/src/index.ts', import.meta.url).href;

/** A server that answers the first batches by `faults`, and stores the others. */
async function aStore(faults: (Fault & object)[] = []): Promise<{ url: string; stored: string[] }> {
  const stored: string[] = [];
  const url = await aServer((request, response) => {
    const fault = faults.shift();
    if (fault !== undefined) return write(response, fault);
    const { events }: Json = JSON.parse(request.text);
    stored.push(...events.map((event: Json) => event.idempotency_key));
    write(response, { status: 201, body: { object: 'event_batch' } });
  });
  return { url, stored };
}

type Ended = { code: number | null; signal: string | null; stdout: string; stderr: string };

/** Runs a program to its end; it has `client`, and `track(key)` which tracks an event. */
async function run(url: string, program: string, maxWaitMs = 60_000): Promise<Ended> {
  const head = `import { createClient } from '${CLIENT}';
const onDropped = (dropped) => console.log(JSON.stringify(dropped.map(({ event, reason }) => [event.idempotency_key, reason])));
const client = createClient({ baseUrl: '${url}', apiKey: 'tm_sk_test_1', onDropped, events: { maxWaitMs: ${maxWaitMs} } });
const track = (idempotency_key) => client.events.track({ event_name: 'a', customer_id: 'b', idempotency_key });
`;
  const args = ['--input-type=module', '-e', head + program];
  const child = spawn(process.execPath, args, { timeout: 60_000, killSignal: 'SIGKILL' });
  const [stdout, stderr, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, string | null]>,
  ]);
  return { code, signal, stdout, stderr };
}

describe('a process that ends', () => {
  it('has sent all events', async () => {
    const { url, stored } = await aStore();
    assert.deepEqual(await run(url, `track('1'); track('2');`), {
      ...{ code: 0, signal: null, stdout: '', stderr: '' },
    });
    assert.deepEqual(stored, ['1', '2']);
  });

  it('has also sent the events that are tracked while it ends', async () => {
    const { url, stored } = await aStore();
    const program = `track('1'); let more = true; process.on('beforeExit', () => { if (more) track('2'); more = false; });`;
    const { code } = await run(url, program);
    assert.equal(code, 0);
    assert.deepEqual(stored, ['1', '2']);
  });

  it('waits for the API to take them', async () => {
    const busy = { status: 503, headers: { 'Retry-After': '1' } };
    const { url, stored } = await aStore([busy, busy]);
    const { code, stderr } = await run(url, `track('1');`);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stored, ['1']);
  });

  it('does not wait for a key that is refused: says how many events it dropped, which onDropped gets', async () => {
    const refused = { status: 401, body: { error: { code: 'unauthorized', message: 'no', details: [] } } };
    const { url, stored } = await aStore(Array.from({ length: 20 }, () => refused));
    const { code, stdout, stderr } = await run(url, `track('1'); track('2');`, 0);
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), [
      ['1', 'process_exit'],
      ['2', 'process_exit'],
    ]);
    assert.match(stderr, /TidemarkWarning: Tidemark: events are not taken, and wait: 401 unauthorized: no\n/);
    assert.match(
      stderr,
      /\nTidemark: events dropped, because the process ended before they were stored: 2\n/,
    );
    assert.deepEqual(stored, []);
  });

  it('by process.exit says how many events it dropped, which onDropped gets', async () => {
    const { url, stored } = await aStore();
    const { code, stdout, stderr } = await run(url, `track('1'); process.exit(3);`);
    assert.equal(code, 3);
    assert.deepEqual(JSON.parse(stdout), [['1', 'process_exit']]);
    assert.match(
      stderr,
      /^Tidemark: events dropped, because the process ended before they were stored: 1\n$/,
    );
    assert.deepEqual(stored, []);
  });

  it('by an exception says so too', async () => {
    const { url } = await aStore();
    const { code, stderr } = await run(
      url,
      `track('1'); track('2'); throw new Error('a fault of the program');`,
    );
    assert.equal(code, 1);
    assert.match(stderr, /Tidemark: events dropped, because the process ended before they were stored: 2\n/);
  });

  it('says nothing after close', async () => {
    const { url, stored } = await aStore();
    const { code, stderr } = await run(url, `track('1'); await client.close(); process.exit(0);`);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(stored, ['1']);
  });

  it('goes on sending where onDropped throws, whose exception is uncaught', async () => {
    const wrong = {
      status: 404,
      body: {
        error: {
          code: 'not_found',
          message: 'm',
          details: [{ param: 'events[0]', reason: 'unknown_customer', message: 'm' }],
        },
      },
    };
    const { url, stored } = await aStore([wrong]);
    const program = `process.on('uncaughtException', ({ message }) => console.log(message));
const throwing = createClient({ baseUrl: '${url}', apiKey: 'k', onDropped: () => { throw new Error('of onDropped'); } });
for (const idempotency_key of ['1', '2']) throwing.events.track({ event_name: 'a', customer_id: 'b', idempotency_key });
await throwing.flush();`;
    const { code, stdout } = await run(url, program);
    assert.deepEqual([code, stdout], [0, 'of onDropped\n']);
    assert.deepEqual(stored, ['2']);
  });

  it('warns of dropped events where there is no onDropped', async () => {
    const { url } = await aStore();
    const program = `const quiet = createClient({ baseUrl: '${url}', apiKey: 'k' });
await quiet.close();
for (let i = 0; i < 3; i++) quiet.events.track({ event_name: 'a', customer_id: 'b' });`;
    const { stderr } = await run(url, program);
    assert.match(stderr, /TidemarkWarning: Tidemark: events dropped: 1, the last one because of closed/);
  });
});
