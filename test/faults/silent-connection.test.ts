import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newRequestId } from '../../src/ids.ts';
import { eventually } from '../support/eventually.ts';
import { assertSound } from '../support/sound.ts';
import type { Judge } from './faulty-line.ts';
import { runsOn, startServices, type Answered, type Asked, type Services } from './services-on-lines.ts';

const DAY_MS = 86_400_000;
/** When the last answer is due (contract.md 1), and what a busy machine may take besides. */
const ANSWER_MS = 10_000 + 1500;
const CLOSED_WITHIN_MS = 60_000;
/** More than find a place in the queue of batches. */
const CROWD = 40;

/** Drops what follows on the first connection that says each of these. */
function dropEachOnce(texts: readonly RegExp[]): Judge {
  const left = new Set(texts);
  return ({ text }) => {
    const said = [...left].find((wanted) => text !== null && wanted.test(text));
    if (said === undefined) return 'pass';
    left.delete(said);
    return 'drop';
  };
}

const dropAll: Judge = () => 'drop';

/** Packets are lost, and nobody closes anything. One describe, in this order: a period closes while the API's tests run. */
describe('a connection to Postgres that does not answer', function () {
  this.timeout(240_000);
  let services: Services;
  let customer_id: string;
  let met_at: number;
  let subscription_id: string;

  before(async () => {
    services = await startServices();
    customer_id = newRequestId();
    await done('/v1/customers', { external_id: customer_id });
    const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '2' }];
    const plan_id = (await done('/v1/pricing-plans', { name: 'Plan', charges })).body.id;
    const start_date = new Date(Date.now() - 40 * DAY_MS).toISOString();
    services.worker_line.judgeBy(dropEachOnce([/insert into invoices/]));
    const subscribed = await done('/v1/subscriptions', { customer_id, plan_id, start_date });
    subscription_id = subscribed.body.id;
    await eventually(() => Promise.resolve(services.worker_line.broken()), Boolean, 20_000);
    met_at = performance.now();
  });
  after(async () => {
    try {
      await assertSound(services.pool);
    } finally {
      await services.stop();
    }
  });

  async function done(path: string, body?: object): Promise<Answered> {
    const answer = await services.ask(path, { ...(body === undefined ? {} : { body }) });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  const anEvent = () => ({ event_name: 'other', customer_id, idempotency_key: newRequestId() });
  const aBatch = (count: number) => ({ events: Array.from({ length: count }, anEvent) });

  function assertFailedInTime({ status, headers, body, ms }: Answered): void {
    assert.deepEqual(
      [status, body.error.details[0].reason, headers.get('retry-after')],
      [500, 'unavailable', '1'],
    );
    assert.ok(ms < ANSWER_MS, `${ms} ms`);
  }

  it('is one request that fails within 10 s, and the others meanwhile go by other connections', async () => {
    const key = { 'Idempotency-Key': newRequestId() };
    const cases: { says: RegExp; path: string; ask: () => Asked }[] = [
      { says: /insert into events/, path: '/v1/events', ask: () => ({ body: anEvent() }) },
      { says: /^copy events/, path: '/v1/events/batch', ask: () => ({ body: aBatch(120) }) },
      { says: /^commit/, path: '/v1/customers', ask: () => ({ body: { external_id: newRequestId() } }) },
    ];
    const asked = cases.map(({ path, ask }) => ({ path, question: { ...ask(), headers: key } }));
    const askAll = () => Promise.all(asked.map(({ path, question }) => services.ask(path, question)));
    services.api_line.judgeBy(dropEachOnce(cases.map(({ says }) => says)));
    let is_answered = false;
    const asking = askAll().finally(() => (is_answered = true));
    await eventually(
      () => Promise.resolve(services.api_line.broken()),
      (broken) => broken === cases.length,
    );
    for (const { path, ask } of [...cases, ...cases]) {
      const { status } = await services.ask(path, ask());
      assert.equal(status, 201, path);
    }
    assert.equal(is_answered, false);
    for (const answer of await asking) assertFailedInTime(answer);
    services.api_line.judgeBy(null);
    // The server takes back what was not committed when it gives the connection up.
    for (const { path, question } of asked)
      await eventually(
        () => services.ask(path, question),
        ({ status }) => status < 300,
        30_000,
      );
  });

  it('of a key that is looked up makes its requests wait a moment: it is looked up by another one', async () => {
    // A key is known for two seconds.
    await pause(2500);
    services.api_line.judgeBy(dropEachOnce([/from api_keys/]));
    const answers = await Promise.all(Array.from({ length: 5 }, () => services.ask('/v1/pricing-plans')));
    assert.equal(services.api_line.broken(), 1);
    services.api_line.judgeBy(null);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  it('and none that does: each request fails within 10 s, none is said to be one too many, and all is well afterwards', async () => {
    await done('/v1/pricing-plans');
    services.api_line.judgeBy(dropAll);
    const asked: [string, Asked?][] = [
      ['/v1/events', { body: anEvent() }],
      ['/v1/customers', { body: { external_id: newRequestId() } }],
      ['/v1/customers'],
      [`/v1/customers/${customer_id}`],
      [`/v1/subscriptions/${subscription_id}/cancel`, { body: { at: 'now' } }],
      ...Array.from({ length: CROWD }, (): [string, Asked] => ['/v1/events', { body: anEvent() }]),
    ];
    const asking = asked.map(([path, question]) => services.ask(path, question));
    // The queue of batches fills up when nothing was answered for five seconds.
    const early = Array.from({ length: 20 }, () => services.ask('/v1/events/batch', { body: aBatch(100) }));
    await pause(5500);
    const crowd = Array.from({ length: CROWD }, () =>
      services.ask('/v1/events/batch', { body: aBatch(100) }),
    );
    assert.equal((await services.ask('/healthz')).status, 200);
    for (const answer of await Promise.all([...asking, ...early, ...crowd])) assertFailedInTime(answer);
    services.api_line.judgeBy(null);
    await eventually(
      () => services.ask('/v1/events', { body: anEvent() }),
      ({ status }) => status === 201,
      20_000,
    );
    assert.equal(runsOn(services.api), true);
  });

  it('in a step of billing delays the period by less than a minute', async () => {
    const left_ms = CLOSED_WITHIN_MS - (performance.now() - met_at);
    const invoices = await eventually(
      async () =>
        (await done(`/v1/invoices?subscription_id=${subscription_id}`)).body.data as { status: string }[],
      (found) => found.some(({ status }) => status === 'paid'),
      left_ms,
    );
    assert.equal(invoices.length, 1);
    assert.equal(runsOn(services.worker), true);
  });
});
