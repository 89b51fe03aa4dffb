import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { useDeliveries } from '../support/ledger/deliveries.ts';

const SECOND_MS = 1000;
/** Time that a receiver takes to fail. */
const SLOW_MS = 8 * SECOND_MS;
/** The first wait of a webhook, without what is added by chance. */
const FIRST_WAIT_MS = 5 * SECOND_MS;

/** Receivers that fail slowly: the wait of the next try begins when they have failed. */
describe('the wait of a webhook', () => {
  const { anEndpoint, deliver, draw, deliveriesOf, grants, pass, receiver } = useDeliveries();

  type Way = {
    way: string;
    fail: (response: ServerResponse) => void;
    /** The status of the response; null for a connection that breaks off. */
    status: number | null;
    /** The least and the most of the wait. */
    wait_ms?: [number, number];
  };
  const WAYS: Way[] = [
    {
      way: 'a 503 that says when to come again',
      fail: (response) => void response.writeHead(503, { 'Retry-After': '6' }).end(),
      status: 503,
      wait_ms: [6 * SECOND_MS, 6 * SECOND_MS],
    },
    {
      way: 'a 429 that says when to come again',
      fail: (response) => void response.writeHead(429, { 'Retry-After': '1' }).end(),
      status: 429,
      wait_ms: [SECOND_MS, SECOND_MS],
    },
    { way: 'a 500', fail: (response) => void response.writeHead(500).end('no'), status: 500 },
    {
      way: 'a redirect',
      fail: (response) => void response.writeHead(307, { Location: receiver().url }).end(),
      status: 307,
    },
    {
      way: 'a connection that is reset',
      fail: (response) => void response.socket!.resetAndDestroy(),
      status: null,
    },
    { way: 'a connection that is closed', fail: (response) => void response.socket!.end(), status: null },
    { way: 'no HTTP', fail: (response) => void response.socket!.end('no\r\n\r\n'), status: null },
  ];
  for (const { way, fail, status, wait_ms: [least, most] = [FIRST_WAIT_MS, FIRST_WAIT_MS * 1.1] } of WAYS)
    it(`runs from the end of a try that ends with ${way}`, async () => {
      await assertWaits({ status, least, most }, (response) => {
        pass(SLOW_MS);
        fail(response);
      });
    });

  it('runs from the end of a response whose body comes slowly', async () => {
    await assertWaits({ status: 500, least: FIRST_WAIT_MS, most: FIRST_WAIT_MS * 1.1 }, (response) => {
      response.writeHead(500).write('n', () => {
        // The status is at the sender by now, or soon.
        setTimeout(() => {
          pass(SLOW_MS);
          response.end('o');
        }, 300);
      });
    });
  });

  async function assertWaits(
    expected: { status: number | null; least: number; most: number },
    fail: (response: ServerResponse) => void,
  ): Promise<void> {
    const { id } = await anEndpoint();
    await draw(grants()[0]!);
    let tries = 0;
    receiver().answer((response) => {
      if (++tries === 1) return fail(response);
      response.end();
    });
    const { wait_ms } = await deliver(id);
    assert.equal(tries, 1);
    assert.ok(wait_ms! > 0 && wait_ms! <= expected.most, `${wait_ms}`);
    const [failing] = await deliveriesOf(id);
    const { response_status, last_attempt_at, next_attempt_at } = failing!;
    assert.equal(response_status, expected.status);
    const waited_ms = Date.parse(next_attempt_at!) - Date.parse(last_attempt_at!);
    assert.ok(waited_ms >= SLOW_MS + expected.least, `${waited_ms}`);
    pass(wait_ms!);
    await deliver(id);
    assert.equal(tries, 2);
    assert.equal((await deliveriesOf(id))[0]!.status, 'delivered');
  }

  it('runs from the end of the 15 s that a receiver has, whether no status comes or a body without an end', async function () {
    this.timeout(60 * SECOND_MS);
    const { id } = await anEndpoint();
    const [silent, endless] = grants() as [string, string];
    await draw(silent);
    await draw(endless);
    receiver().answer((response, { change }) => {
      if (change['object_id'] === endless) response.writeHead(500).write('n');
    });
    const { wait_ms } = await deliver(id);
    assert.equal(receiver().posted.length, 2);
    assert.ok(wait_ms! <= FIRST_WAIT_MS * 1.1, `${wait_ms}`);
    const failing = await deliveriesOf(id);
    const outcomes = failing.map(({ response_status, error }) => `${response_status} ${error}`);
    assert.deepEqual(outcomes.toSorted(), ['500 null', 'null no response within 15 s']);
    for (const { duration_ms, last_attempt_at, next_attempt_at } of failing) {
      const waited_ms = Date.parse(next_attempt_at!) - Date.parse(last_attempt_at!);
      assert.ok(waited_ms >= duration_ms! - 50 + FIRST_WAIT_MS, `${duration_ms} ${waited_ms}`);
    }
  });
});
