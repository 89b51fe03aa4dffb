import assert from 'node:assert/strict';
import { newRequestId } from '../../../src/keys/ids.ts';
import { eventually } from '../../support/servers/eventually.ts';
import type { Judge } from './faulty-line.ts';
import { aCustomer, aPlan, runsOn, useServices, type Answered } from './services-on-lines.ts';

const DAY_MS = 86_400_000;
/** Limit of messages, above what any request to the API needs, on new connections. */
const MESSAGES_MAX = 300;
const CUSTOMERS = 12;
/** Number of the worker's connections that are cut, each `LATER` messages later than the previous one. */
const CUTS = 13;
const LATER = 22;
/** A step that failed six times waits a minute before the next attempt, and all cuts may meet one step. */
const GIVEN_UP_MS = 600_000;

/** Cuts the connection at the message with this number, counted from now on over all connections. */
function cutAt(place: number): Judge {
  let passed = 0;
  return () => (++passed === place ? 'cut' : 'pass');
}

/** Cuts the first connection at its message `first`, the next one `LATER` messages later, and so on. */
function cutEachLater(first = 1): Judge {
  const limits = new Map<number, { from: number; place: number }>();
  let recordOverlap = 0;
  return ({ connection, place }) => {
    const limit = limits.get(connection) ?? { from: place - 1, place: first + LATER * recordOverlap++ };
    limits.set(connection, limit);
    return limit.place <= LATER * CUTS && place - limit.from === limit.place ? 'cut' : 'pass';
  };
}

/** Cuts the connections of API and worker to Postgres repeatedly. */
describe('a lost connection to Postgres', function () {
  this.timeout(1_500_000);
  const services = useServices();
  let customer_id: string;
  let plan_id: string;
  before(async () => {
    customer_id = await aCustomer(services());
    plan_id = await aPlan(services(), { pricing_model: 'per_unit', unit_amount: '2' });
  });

  const events = (count: number, of = customer_id, name = 'call') =>
    Array.from({ length: count }, () => ({
      event_name: name,
      customer_id: of,
      idempotency_key: newRequestId(),
    }));

  async function countStored(sent: readonly { idempotency_key: string }[]): Promise<number> {
    const { rows } = await services().pool.query<{ count: number }>(
      'select count(*)::int as count from events where idempotency_key = any($1)',
      [sent.map(({ idempotency_key }) => idempotency_key)],
    );
    return rows[0]!.count;
  }

  /** A statement continues after its client's connection was cut, and may still commit. */
  async function untilNoneRuns(): Promise<void> {
    const running = `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`;
    await eventually(
      () => services().pool.query(running),
      ({ rowCount }) => rowCount === 0,
      10_000,
    );
  }

  const assertBothRun = () => assert.deepEqual([services().api, services().worker].map(runsOn), [true, true]);

  /** Sends a request repeatedly, each time cut one message later, until a request is not cut. Returns the number of cuts. */
  async function cutEach(act: () => Promise<{ answer: Answered; again: () => Promise<void> }>) {
    for (let place = 1; place < MESSAGES_MAX; place++) {
      services().api_line.judgeBy(cutAt(place));
      const { answer, again } = await act();
      const is_cut = services().api_line.broken() > 0;
      services().api_line.judgeBy(null);
      assertBothRun();
      if (answer.status >= 300) {
        assert.deepEqual([answer.status, is_cut], [500, true], JSON.stringify(answer.body));
        assert.equal(answer.headers.get('retry-after'), '1');
      }
      await again();
      if (!is_cut) return place - 1;
    }
    throw new Error(`more than ${MESSAGES_MAX} messages`);
  }

  for (const count of [1, 3, 120]) {
    const path = count === 1 ? '/v1/events' : '/v1/events/batch';
    it(`at each message of ${count === 1 ? 'a single event' : `a batch of ${count}`}: one request fails, and its retry is correct`, async () => {
      const cuts = await cutEach(async () => {
        const sent = events(count, customer_id, 'other');
        const body = count === 1 ? sent[0]! : { events: sent };
        const answer = await services().ask(path, { body });
        await untilNoneRuns();
        const stored = await countStored(sent);
        assert.ok(
          stored === count || (stored === 0 && answer.status === 500),
          `${answer.status}, ${stored} stored`,
        );
        const again = async () => {
          const { status, body: answered } = await services().ask(path, { body });
          if (count === 1) assert.equal(status, stored === 0 ? 201 : 200);
          else assert.deepEqual([status, answered.duplicates], [201, stored]);
          assert.equal(await countStored(sent), count);
        };
        return { answer, again };
      });
      assert.ok(cuts >= 8, `${cuts} cuts`);
    });
  }

  it('at each message of a request with an Idempotency-Key: a retry has the effect once', async () => {
    const cuts = await cutEach(async () => {
      const asked = {
        body: { customer_id, amount: 1 },
        headers: { 'Idempotency-Key': newRequestId() },
      };
      const count = async () => (await services().pool.query('select from credit_grants')).rowCount!;
      const before = await count();
      const answer = await services().ask('/v1/credit-grants', asked);
      const again = async () => {
        const second = await eventually(
          () => services().ask('/v1/credit-grants', asked),
          ({ status }) => status !== 409,
          10_000,
        );
        assert.equal(second.status, 201);
        assert.equal(await count(), before + 1);
        if (answer.status === 201) assert.equal(second.body.id, answer.body.id);
      };
      return { answer, again };
    });
    assert.ok(cuts > 50, `${cuts} cuts`);
  });

  it('of the worker, repeatedly, at each message of its steps: every period is billed once, and regenerated once', async () => {
    const start_date = new Date(Date.now() - 40 * DAY_MS).toISOString();
    const timestamp = new Date(Date.now() - 35 * DAY_MS).toISOString();
    const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => aCustomer(services())));
    for (const [at, of] of customers.entries()) {
      const sent = events(at + 1, of).map((event) => ({ ...event, timestamp }));
      await services().done('/v1/events/batch', { events: sent });
    }
    services().worker_line.judgeBy(cutEachLater());
    await Promise.all(
      customers.map((of) => services().done('/v1/subscriptions', { customer_id: of, plan_id, start_date })),
    );
    const invoicesOf = async (of: string) =>
      (await services().done(`/v1/invoices?customer_id=${of}`)).body.data as {
        id: string;
        status: string;
        total: string;
      }[];
    const all = async () => {
      const invoices = await Promise.all(customers.map(invoicesOf));
      return invoices.map((list) => list.map(({ id, status, total }) => ({ id, status, total })));
    };
    const billed = await eventually(
      all,
      (found) =>
        found.every((invoices) => invoices.some(({ status }) => status === 'open' || status === 'paid')),
      GIVEN_UP_MS,
    );
    assert.deepEqual(
      billed.map((invoices) => invoices.map(({ total }) => total)),
      customers.map((_, at) => [`${2 * (at + 1)}.00`]),
    );
    assertBothRun();
    const keys = customers.map(() => newRequestId());
    const regenerate = (at: number) =>
      services().ask(`/v1/invoices/${billed[at]![0]!.id}/regenerate`, {
        body: {},
        headers: { 'Idempotency-Key': keys[at]! },
      });
    services().worker_line.judgeBy(cutEachLater(LATER / 2));
    await Promise.all(
      customers.map(async (_, at) => {
        const served = await eventually(
          () => regenerate(at),
          ({ status }) => status === 201,
          GIVEN_UP_MS,
        );
        assert.equal(served.body.total, `${2 * (at + 1)}.00`);
      }),
    );
    console.log(`      ${services().worker_line.broken()} connections of the worker were cut`);
    services().worker_line.judgeBy(null);
    assertBothRun();
    const statuses = (await all()).map((invoices) => invoices.map(({ status }) => status));
    for (const [replacement, replaced, ...more] of statuses) {
      assert.ok(replacement === 'open' || replacement === 'paid');
      assert.deepEqual([replaced, more], ['void', []]);
    }
  });
});
