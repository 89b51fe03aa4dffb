import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createReceiveMemory } from '../../../api/http/receive-memory.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';

describe('the memory of request bodies', () => {
  const never = () => assert.fail('cut');

  it('stays within its limit: a body that grows beyond it is dropped, a new one is refused', () => {
    const memory = createReceiveMemory(10);
    const [first, second] = [memory.open(never)!, memory.open(never)!];
    assert.equal(first.hold(6), true);
    assert.equal(second.hold(4), true);
    assert.equal(memory.open(never), null);
    assert.equal(second.hold(1), false);
    assert.equal(second.hold(1), false);
    assert.equal(memory.open(never)!.hold(4), true);
    first.close();
    first.close();
    assert.equal(memory.open(never)!.hold(6), true);
    assert.equal(memory.open(never), null);
  });

  it('drops the slowest body first, and no fast one', async () => {
    const memory = createReceiveMemory(10, 20);
    const cut: string[] = [];
    const [slow, slower] = ['slow', 'slower'].map((name) => memory.open(() => cut.push(name))!);
    assert.equal(slow!.hold(5) && slower!.hold(4), true);
    await pause(30);
    const quick = memory.open(never)!;
    assert.equal(quick.hold(3), true);
    assert.deepEqual(cut, ['slower']);
    assert.equal(slower!.hold(1), false);
    assert.equal(quick.hold(6), true);
    assert.deepEqual(cut, ['slower', 'slow']);
    assert.equal(quick.hold(2), false);
  });
});

describe('bodies that do not end', () => {
  const SENT = 3 * 1024 * 1024;
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { RECEIVE_MEMORY: '8' }, processes: 1 });
    await api.post('/v1/customers', { external_id: 'C1' });
  });
  after(() => api.close());

  /** Starts a batch of 4 MB, sends 3 MB of it, and returns the status of the response. */
  async function begin(): Promise<{ socket: Socket; status: Promise<number> }> {
    const socket = connect(api.port, '127.0.0.1');
    const head =
      `POST /v1/events/batch HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.test_key}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${4 * 1024 * 1024}\r\n\r\n`;
    socket.write(head);
    const status = new Promise<number>((resolve) => {
      socket.once('data', (bytes: Buffer) => resolve(Number(bytes.toString('latin1', 9, 12))));
    });
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write(Buffer.alloc(SENT, ' '), resolve));
    return { socket, status };
  }

  it('get 429 beyond RECEIVE_MEMORY, and are dropped for others when they are slow', async () => {
    const begun = [await begin(), await begin(), await begin()];
    // The API reads what the three connections hold in an order of its own: two bodies fit, and the third to grow is refused, whichever that is.
    const refused = await Promise.race(begun.map(async (body) => ({ body, status: await body.status })));
    assert.equal(refused.status, 429);
    const left = begun.filter((body) => body !== refused.body);
    await pause(2100);
    const events = Array.from({ length: 300 }, (_, at) => ({
      event_name: 'call',
      customer_id: 'C1',
      idempotency_key: `${at}`,
      properties: { text: 'x'.repeat(10_000) },
    }));
    assert.equal((await api.post('/v1/events/batch', { events })).status, 201);
    assert.equal(await Promise.race(left.map(({ status }) => status)), 429);
    for (const { socket } of begun) socket.destroy();
  });
});
