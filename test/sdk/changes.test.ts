import assert from 'node:assert/strict';
import { createClient, TidemarkError, type Client, type FeedChange } from '../../sdk/typescript/src/index.ts';
import { eventually } from '../support/servers/eventually.ts';
import { aFeedServer } from './feed-server.ts';
import { write } from './front.ts';

const clientOf = (url: string): Client => createClient({ baseUrl: url, apiKey: 'tm_sk_test_1' });

/** The first changes of an iteration, which then ends. */
async function first(changes: AsyncIterable<FeedChange>, count: number): Promise<number[]> {
  const read: number[] = [];
  for await (const { sequence } of changes) {
    read.push(sequence);
    if (read.length === count) break;
  }
  return read;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

describe('changes.follow', () => {
  it('reads from the oldest change or after a sequence, over many pages, in order', async () => {
    const feed = await aFeedServer({ page_max: 3, oldest: 5 });
    for (let i = 0; i < 10; i++) feed.publish('invoice.paid');
    const { changes } = clientOf(feed.url);
    assert.deepEqual(await first(changes.follow(null), 10), numbers(5, 14));
    assert.deepEqual(await first(changes.follow(9), 5), numbers(10, 14));
    assert.deepEqual([feed.asked[0], feed.asked[4]?.['after']], [{ limit: '1000', wait: '30' }, '9']);
  });

  it('gets the changes that happen while it waits', async () => {
    const feed = await aFeedServer();
    const reading = first(clientOf(feed.url).changes.follow(null), 2);
    await eventually(
      async () => feed.asked.length,
      (asked) => asked === 1,
    );
    feed.publish('invoice.issued');
    feed.publish('invoice.paid');
    assert.deepEqual(await reading, [1, 2]);
  });

  it('filters by types and customer, and goes on after the changes that the filter left out', async () => {
    const feed = await aFeedServer({ page_max: 2 });
    for (const customer_id of ['acme', 'other', 'acme'])
      for (const type of ['invoice.paid', 'customer.created', 'payment.recorded'])
        feed.publish(type, { customer_id });
    const following = clientOf(feed.url).changes.follow(0, {
      types: ['invoice.*', 'payment.recorded'],
      customer_id: 'acme',
    });
    assert.deepEqual(await first(following, 4), [1, 3, 7, 9]);
    assert.deepEqual(feed.asked[0], {
      ...{ after: '0', limit: '1000', wait: '30' },
      ...{ types: 'invoice.*,payment.recorded', customer_id: 'acme' },
    });
    assert.deepEqual(
      feed.asked.map(({ after }) => after),
      ['0', '2', '4', '6', '8'],
    );
  });

  it('survives restarts of the server, without a gap and without a change twice', async () => {
    const feed = await aFeedServer({ page_max: 2 });
    const reading = first(clientOf(feed.url).changes.follow(null), 9);
    for (let restart = 0; restart < 3; restart++) {
      const asked = feed.asked.length;
      for (let i = 0; i < 3; i++) feed.publish('invoice.paid');
      await eventually(
        async () => feed.asked.length,
        (now) => now > asked,
      );
      await feed.stop();
      await feed.start();
    }
    assert.deepEqual(await reading, numbers(1, 9));
  });

  it('survives answers that are 429, 502 of a proxy, or cut off', async () => {
    const feed = await aFeedServer();
    feed.publish('invoice.paid');
    const at_once = { 'Retry-After': '0' };
    feed.answers.push(
      (response) => write(response, { status: 429, headers: at_once }),
      (response) =>
        write(response, {
          status: 502,
          headers: { ...at_once, 'Content-Type': 'text/html' },
          body: '<html>',
        }),
      (response) => {
        response.writeHead(200, { 'Content-Length': '1000' });
        response.write('{"object":"list","data":[');
        setImmediate(() => response.destroy());
      },
    );
    assert.deepEqual(await first(clientOf(feed.url).changes.follow(0), 1), [1]);
    assert.equal(feed.asked.length, 4);
  });

  it('ends when its signal aborts, between two changes and while it waits', async () => {
    const feed = await aFeedServer();
    for (let i = 0; i < 3; i++) feed.publish('invoice.paid');
    const stopping = new AbortController();
    const read: number[] = [];
    for await (const { sequence } of clientOf(feed.url).changes.follow(0, { signal: stopping.signal })) {
      read.push(sequence);
      if (sequence === 2) stopping.abort();
    }
    assert.deepEqual(read, [1, 2]);
    const waiting = new AbortController();
    const asked = feed.asked.length;
    const reading = first(clientOf(feed.url).changes.follow(3, { signal: waiting.signal }), 1);
    await eventually(
      async () => feed.asked.length,
      (now) => now > asked,
    );
    waiting.abort();
    assert.deepEqual(await reading, []);
  });

  it('ends when the client is closed, also while it waits for the next try', async () => {
    const feed = await aFeedServer();
    await feed.stop();
    const client = clientOf(feed.url);
    const reading = first(client.changes.follow(0), 1);
    await client.close();
    assert.deepEqual(await reading, []);
  });

  for (const [after, reason] of [
    [2, 'too_old'],
    [99, 'out_of_range'],
  ] as const)
    it(`throws for a sequence that is ${reason}`, async () => {
      const feed = await aFeedServer({ oldest: 5 });
      await assert.rejects(first(clientOf(feed.url).changes.follow(after), 1), (error) => {
        assert.ok(error instanceof TidemarkError);
        assert.deepEqual([error.status, error.param, error.details[0]?.reason], [400, 'after', reason]);
        return true;
      });
    });

  for (const status of [401, 403, 404, 200])
    it(`throws for an answer ${status} that is no page`, async () => {
      const feed = await aFeedServer();
      feed.answers.push((response) => write(response, { status, body: {} }));
      await assert.rejects(first(clientOf(feed.url).changes.follow(0), 1), { name: 'TidemarkError', status });
      assert.equal(feed.asked.length, 1);
    });
});
