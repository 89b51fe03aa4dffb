import assert from 'node:assert/strict';
import { startApi, type TestApi } from '../../support/servers/api.ts';
import { converse } from '../../support/servers/raw-http.ts';
import { assertRefused } from '../../support/ledger/refused.ts';

describe('bad input, A: framing', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi({ limits: { head_ms: 300, request_ms: 600 } });
  });
  after(() => api.close());

  const body = '{"event_name":"e","customer_id":"c","idempotency_key":"k"}';
  const get = 'GET /v1/events HTTP/1.1\r\n';
  const post = 'POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n';
  const many = (count: number, header: string) => Array.from({ length: count }, () => header).join('');

  /** Each gets one response, 400, and the connection is closed. `KEY` is replaced by a valid Authorization header. */
  const REFUSED: [name: string, ...chunks: (string | Buffer)[]][] = [
    [
      'A1 Content-Length and chunked',
      `${post}KEYContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['A2 two equal lengths', `${post}KEYContent-Length: 58\r\nContent-Length: 58\r\n\r\n${body}`],
    ['A2 two different lengths', `${post}KEYContent-Length: 58\r\nContent-Length: 57\r\n\r\n${body}`],
    ['A3 length -5', `${post}KEYContent-Length: -5\r\n\r\n${body}`],
    ['A3 length +5', `${post}KEYContent-Length: +5\r\n\r\n${body}`],
    ['A3 length 5x', `${post}KEYContent-Length: 5x\r\n\r\n${body}`],
    ['A4 xchunked', `${post}KEYTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['A4 gzip, chunked', `${post}KEYTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['A4 chunked in HTTP/1.0', `POST /v1/events HTTP/1.0\r\nKEYTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['A5 no Host', `${get}KEY\r\n`],
    ['A5 two Hosts', `${get}Host: a\r\nHost: b\r\nKEY\r\n`],
    ['A6 bare LF', `GET /v1/events HTTP/1.1\nHost: h\nKEY\n\n`],
    ['A6 folded header', `${get}Host: h\r\nKEYX-A: a\r\n b\r\n\r\n`],
    ['A6 space before the colon', `${get}Host : h\r\nKEY\r\n`],
    ['A6 NUL in a header', `${get}Host: h\r\nKEYX-A: a\0b\r\n\r\n`],
    ['A6 NUL in the path', `GET /v1/ev\0ents HTTP/1.1\r\nHost: h\r\nKEY\r\n`],
    ['A6 raw UTF-8 in the path', Buffer.from(`GET /v1/évents HTTP/1.1\r\nHost: h\r\n\r\n`)],
    ['A7 one header of 20 KB', `${get}Host: h\r\nKEYX-A: ${'a'.repeat(20_000)}\r\n\r\n`],
    ['A7 an address of 20 KB', `GET /v1/events?a=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: h\r\nKEY\r\n`],
    ['A7 3000 headers', `${get}Host: h\r\n${many(3000, 'a:b\r\n')}KEY\r\n`],
    ['A8 1500 headers, the key last', `${get}Host: h\r\n${many(1500, 'a:b\r\n')}KEY\r\n`],
    ['A9 method FOO', `FOO /v1/events HTTP/1.1\r\nHost: h\r\nKEY\r\n`],
    ['A9 method get', `get /v1/events HTTP/1.1\r\nHost: h\r\nKEY\r\n`],
    ['A10 HTTP/1.2', `GET /v1/events HTTP/1.2\r\nHost: h\r\nKEY\r\n`],
    ['A10 HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['A10 TLS', Buffer.from('16030100c8010000c40303', 'hex')],
    ['A12 a slow head', 'GET /v1/events HT'],
    ['A12 silence', ''],
    ['A13 a slow body', `${post}KEYContent-Length: 50\r\n\r\n{"`],
    [
      'A14 a chunk extension of 20 KB',
      `${post}KEYTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n`,
    ],
    ['A14 a broken chunk', `${post}KEYTransfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['A15 Expect: foo', `${post}KEYExpect: foo\r\nContent-Length: 58\r\n\r\n${body}`],
  ];
  for (const [name, ...chunks] of REFUSED) {
    it(name, async () => {
      const { answers, is_closed, text } = await converse(api.port, chunks.map(withKey));
      assert.equal(answers.length, 1, text);
      assertRefused(answers[0]!, { code: 'invalid_request', reason: 'bad_framing' });
      assert.equal(answers[0]!.headers.get('connection'), 'close');
      assert.ok(is_closed, 'the connection is closed');
    });
  }

  function withKey(chunk: string | Buffer): string | Buffer {
    return typeof chunk === 'string'
      ? chunk.replace('KEY', `Authorization: Bearer ${api.test_key}\r\n`)
      : chunk;
  }

  /** Each is unusual but valid: it gets its normal response, and the connection stays open. */
  const TAKEN: [name: string, status: number, request: string][] = [
    ['A9 TRACE is no route', 404, 'TRACE /v1/events HTTP/1.1\r\nHost: h\r\nKEY\r\n'],
    ['A11 absolute form', 200, 'GET http://evil/v1/events HTTP/1.1\r\nHost: h\r\nKEY\r\n'],
    ['A11 another host', 200, `${get}Host: evil\r\nX-Forwarded-Host: evil\r\nKEY\r\n`],
    ['A11 commas', 200, `${get}Host: h\r\nX-Forwarded-For: ${','.repeat(12_000)}\r\nKEY\r\n`],
    ['HTTP/1.0 needs no Host', 200, 'GET /v1/events HTTP/1.0\r\nConnection: keep-alive\r\nKEY\r\n'],
    ['G9 GET with a body', 200, `${get}Host: h\r\nContent-Length: 2\r\nKEY\r\n{}`],
  ];
  for (const [name, status, request] of TAKEN) {
    it(name, async () => {
      // Sent twice: leftover bytes of the first request must not be read as the second one.
      const { answers, is_closed, text } = await converse(api.port, [withKey(request), withKey(request)], {
        wanted: 2,
        pause_ms: 10,
      });
      assert.deepEqual(
        answers.map((answer) => answer.status),
        [status, status],
      );
      assert.ok(!is_closed && !text.includes('evil'));
    });
  }

  it('A15 Upgrade: a normal response, and the connection is closed, so that no later request waits for ever', async () => {
    const request = withKey(`${get}Host: h\r\nConnection: upgrade\r\nUpgrade: websocket\r\nKEY\r\n`);
    const { answers, is_closed } = await converse(api.port, [`${request}${request}`]);
    assert.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('connection')]),
      [[200, 'close']],
    );
    assert.ok(is_closed);
  });

  it('A9 CONNECT: the connection is closed without a response', async () => {
    const { text, is_closed } = await converse(api.port, ['CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n']);
    assert.deepEqual([text, is_closed], ['', true]);
  });

  it('A13 a body that ends early gets a response, and the connection is closed', async () => {
    const chunks = [withKey(`${post}KEYContent-Length: 50\r\n\r\n{"`)];
    const { answers, is_closed, text } = await converse(api.port, chunks, { then_end: true });
    assertRefused(answers[0]!, { code: 'invalid_request' });
    assert.ok(is_closed);
    assert.doesNotMatch(text, /took too long/, 'the end is noticed, not waited for');
  });

  it('the error for a broken request comes after the responses to earlier requests', async () => {
    const good = withKey(`${get}Host: h\r\nKEY\r\n`);
    const { answers } = await converse(api.port, [`${good.toString()}${good.toString()}NONSENSE\r\n\r\n`]);
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 400],
    );
  });

  it('A12 five hundred slow request heads do not delay other requests', async () => {
    // A long limit, so that a busy machine can open 500 connections before the first one times out.
    const patient = await startApi({ limits: { head_ms: 5000, request_ms: 6000 } });
    try {
      let given_up = 0;
      const slow = Array.from({ length: 500 }, () =>
        converse(patient.port, ['GET /v1/ev']).finally(() => given_up++),
      );
      const { status } = await patient.request('/v1/customers');
      assert.deepEqual([status, given_up], [200, 0]);
      for (const { answers, is_closed } of await Promise.all(slow))
        assert.deepEqual([answers[0]?.status, is_closed], [400, true]);
    } finally {
      await patient.close();
    }
  });

  it('nothing was stored', async () => {
    const { rows } = await api.pool.query('select count(*)::integer as count from events');
    assert.equal(rows[0].count, 0);
  });
});
