import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { objectOf, readBody, receiveBody } from '../../../api/http/body.ts';
import { closeExchange, openExchange } from '../../../api/http/exchange.ts';
import { createHttpServer, listen } from '../../../api/http/http-server.ts';
import { createReceiveMemory } from '../../../api/http/receive-memory.ts';
import { LIMITS } from '../../../api/server.ts';
import { BillingError } from '../../../src/domain/money/errors.ts';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

const BYTES_MAX = 10;
const MEMORY = createReceiveMemory(10_000);

/** A request whose body has not arrived yet. */
function aRequest(): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' });
  return request;
}

const refusedWith = (reason: string) => (error: unknown) =>
  error instanceof BillingError && error.details[0]?.reason === reason;

describe('the body of a request', () => {
  it('may arrive in parts', async () => {
    const request = aRequest();
    const reading = readBody(request, BYTES_MAX, MEMORY);
    for (const part of ['{"a"', ':', '1}', null]) request.push(part);
    assert.deepEqual(objectOf(await reading), { a: 1 });
  });

  it('may be as large as the limit and no larger', async () => {
    const [largest, larger] = [aRequest(), aRequest()];
    const refused = assert.rejects(readBody(larger, BYTES_MAX, MEMORY), refusedWith('too_large'));
    const read = readBody(largest, BYTES_MAX, MEMORY);
    for (const part of ['{', ' '.repeat(8), '}', null]) largest.push(part);
    for (const part of ['{', ' '.repeat(9), '}']) larger.push(part);
    await read;
    await refused;
  });

  it('is refused if the connection breaks off, before or during reading', async () => {
    const [during, before] = [aRequest(), aRequest()];
    const refused = assert.rejects(readBody(during, BYTES_MAX, MEMORY), refusedWith('bad_framing'));
    during.push('{');
    during.destroy(new Error('aborted'));
    await refused;
    before.on('error', () => undefined).destroy(new Error('aborted'));
    await assert.rejects(readBody(before, BYTES_MAX, MEMORY), refusedWith('bad_framing'));
  });
});

describe('the body of a request that has arrived as a whole', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ settings: { RECEIVE_MEMORY: '8' }, processes: 1 });
    await api.post('/v1/customers', { external_id: 'C1' });
  });
  after(() => api.close());

  const EVENT = { event_name: 'call', customer_id: 'C1', idempotency_key: '1' };

  /** The head and the body of a single event in one piece. */
  function whole(body: string, headers = `Content-Length: ${Buffer.byteLength(body)}`): string {
    return (
      `POST /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.test_key}\r\n` +
      `Content-Type: application/json\r\n${headers}\r\n\r\n${body}`
    );
  }

  it('is the same as one that arrives in parts, on one connection in turn', async () => {
    const text = JSON.stringify(EVENT);
    const chunked = whole(
      `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`,
      'Transfer-Encoding: chunked',
    );
    const [head, rest] = [whole(text).slice(0, -10), whole(text).slice(-10)];
    const { answers } = await converse(api.port, [whole(text), whole(text), chunked, head, rest], {
      wanted: 4,
    });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200, 200, 200],
    );
  });

  it('is read at once, and its request ends with the response, so that nothing keeps it', async () => {
    const [ended, at_once]: [boolean[], boolean[]] = [[], []];
    const server = createHttpServer(LIMITS).on('request', (request, response) => {
      openExchange(api.deps, response);
      response.on('close', () => closeExchange(response));
      request.on('end', () => ended.push(true));
      queueMicrotask(() => {
        at_once.push(receiveBody(response, 100) instanceof Buffer);
        setImmediate(() => response.writeHead(200, { 'Content-Length': 2 }).end('{}'));
      });
    });
    const port = await listen(server, 0, '127.0.0.1');
    const { answers } = await converse(port, [whole('{}'), whole('{}')], { wanted: 2, pause_ms: 50 });
    server.close();
    assert.equal(answers.length, 2);
    assert.deepEqual({ at_once, ended }, { at_once: [true, true], ended: [true, true] });
  });

  it('is refused if it is empty, or of another type', async () => {
    const chunked = whole('0\r\n\r\n', 'Transfer-Encoding: chunked');
    const text = JSON.stringify(EVENT);
    const coded = whole(text, `Content-Encoding: gzip\r\nContent-Length: ${text.length}`);
    const { answers } = await converse(api.port, [chunked, coded], { wanted: 2 });
    assertRefused(answers[0]!, { code: 'invalid_request', reason: 'missing' });
    assertRefused(answers[1]!, { code: 'invalid_request', reason: 'bad_media_type' });
  });

  it('is refused while bodies that arrive hold all memory', async () => {
    const { receive_memory, config } = api.deps;
    const body = receive_memory.open(() => assert.fail('cut'))!;
    assert.equal(body.hold(config.receive_memory_bytes), true);
    const { answers } = await converse(api.port, [whole(JSON.stringify(EVENT))], { wanted: 1 });
    assertRefused(answers[0]!, { code: 'rate_limited' });
    body.close();
  });
});
