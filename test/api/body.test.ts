import assert from 'node:assert/strict';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { objectOf, readBody } from '../../api/http/body.ts';
import { createReceiveMemory } from '../../api/http/receive-memory.ts';
import { BillingError } from '../../src/domain/errors.ts';

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
