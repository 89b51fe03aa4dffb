import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { newRequestId } from '../../../src/keys/ids.ts';
import { eventually } from '../../support/servers/eventually.ts';
import type { Judge } from './faulty-line.ts';
import { aCustomer, aPlan, runsOn, useServices, type Answered, type Asked } from './services-on-lines.ts';

const DAY_MS = 86_400_000;
/** Time for each test: on a silent connection without a limit, a statement waits for some fifteen minutes. */
const LIMIT_MS = 600_000;
/** Number of requests, above what the queue of batches holds. */
const CROWD = 40;

/** Drops for each of these texts everything on the first connection that sends it, from that statement on. */
function dropEachOnce(texts: readonly RegExp[]): Judge {
  const left = new Set(texts);
  return ({ text }) => {
    const said = [...left].find((wanted) => text !== null && wanted.test(text));
    if (said === undefined) return 'pass';
    left.delete(said);
    return 'drop';
  };
}

/** Lets the first transaction with this statement commit, and drops the response to its commit and everything after it. */
function dropAfterCommit(wanted: RegExp): Judge {
  let its_connection: number | null = null;
  let is_committed = false;
  return ({ connection, text }) => {
    if (its_connection === null && text !== null && wanted.test(text)) its_connection = connection;
    if (connection !== its_connection) return 'pass';
    if (is_committed) return 'drop';
    is_committed = text === 'commit';
    return 'pass';
  };
}

const dropAll: Judge = () => 'drop';

/** The last statement of a regeneration before its commit. */
const ENDS_REGENERATION = /update regenerations r/;

type Invoice = { id: string; subscription_id: string; status: string; total: string };

/**
 * Packets are lost, and no side closes the connection. The tests depend on their order: a period closes, and invoices are regenerated,
 * while the tests of the API run.
 */
describe('a connection to Postgres that does not answer', function () {
  this.timeout(LIMIT_MS);
  const services = useServices();
  let customer_id: string;
  let subscription_id: string;
  /** Invoices of three customers; the regeneration of each meets a silent connection. */
  let committed: Invoice;
  let uncommitted: Invoice;
  let unasked: Invoice;
  let regenerated: Promise<[Answered, Answered, Answered]>;

  before(async () => {
    // No events: the statements awaited below must not be prepared yet, since a prepared statement is sent without its text.
    const plan_id = await aPlan(services(), { pricing_model: 'flat', flat_amount: '2' });
    const subscribe = async (of: string): Promise<string> => {
      const start_date = new Date(Date.now() - 40 * DAY_MS).toISOString();
      return (await services().done('/v1/subscriptions', { customer_id: of, plan_id, start_date })).body.id;
    };
    customer_id = await aCustomer(services());
    services().worker_line.judgeBy(dropEachOnce([/insert into invoices/]));
    subscription_id = await subscribe(customer_id);
    await oneOfTheWorkersIsSilent();
    services().worker_line.judgeBy(null);
    const billed = async () => (await invoicesOnce(await subscribe(await aCustomer(services())), 'open'))[0]!;
    [committed, uncommitted, unasked] = [await billed(), await billed(), await billed()];
    services().worker_line.judgeBy(dropAfterCommit(ENDS_REGENERATION));
    const first = regenerate(committed);
    await oneOfTheWorkersIsSilent();
    // The second one holds the counter of invoice numbers, so the one that commits goes first.
    services().worker_line.judgeBy(dropEachOnce([ENDS_REGENERATION]));
    const second = regenerate(uncommitted);
    await oneOfTheWorkersIsSilent();
    services().worker_line.judgeBy(null);
    services().api_line.judgeBy(dropEachOnce([/insert into regenerations/]));
    const third = regenerate(unasked);
    await eventually(() => Promise.resolve(services().api_line.broken()), Boolean);
    services().api_line.judgeBy(null);
    regenerated = Promise.all([first, second, third]);
  });

  /** Invoices of a subscription, newest first, once one of them has this status. */
  const invoicesOnce = (of: string, status: string): Promise<Invoice[]> =>
    eventually(
      async () => {
        const answer = await recovered(() => services().ask(`/v1/invoices?subscription_id=${of}`));
        return answer.body.data as Invoice[];
      },
      (found) => found.some((invoice) => invoice.status === status),
    );

  const oneOfTheWorkersIsSilent = () =>
    eventually(() => Promise.resolve(services().worker_line.broken()), Boolean);

  const regenerate = ({ id }: Invoice, headers = {}): Promise<Answered> =>
    services().ask(`/v1/invoices/${id}/regenerate`, { body: {}, headers });

  const anEvent = () => ({ event_name: 'other', customer_id, idempotency_key: newRequestId() });
  const aBatch = (count: number) => ({ events: Array.from({ length: count }, anEvent) });

  function assertUnavailable({ status, headers, body }: Answered): void {
    assert.deepEqual(
      [status, body.error.details[0].reason, headers.get('retry-after')],
      [500, 'unavailable', '1'],
    );
  }

  /** The first 2xx: until the pool has given up its silent connections, requests may still meet one. */
  const recovered = (send: () => Promise<Answered>): Promise<Answered> =>
    eventually(send, ({ status }) => status < 300);

  it('fails one request, while others use other connections', async () => {
    const key = { 'Idempotency-Key': newRequestId() };
    const cases: { says: RegExp; path: string; ask: () => Asked }[] = [
      { says: /insert into events/, path: '/v1/events', ask: () => ({ body: anEvent() }) },
      { says: /copy events/, path: '/v1/events/batch', ask: () => ({ body: aBatch(120) }) },
      { says: /^commit/, path: '/v1/customers', ask: () => ({ body: { external_id: newRequestId() } }) },
    ];
    const asked = cases.map(({ path, ask }) => ({ path, question: { ...ask(), headers: key } }));
    const askAll = () => Promise.all(asked.map(({ path, question }) => services().ask(path, question)));
    services().api_line.judgeBy(
      dropEachOnce([...cases.map(({ says }) => says), /insert into regenerations/]),
    );
    let is_answered = false;
    const asking = askAll().finally(() => (is_answered = true));
    await eventually(
      () => Promise.resolve(services().api_line.broken()),
      (broken) => broken === cases.length,
    );
    for (const { path, ask } of [...cases, ...cases]) {
      const { status } = await services().ask(path, ask());
      assert.equal(status, 201, path);
    }
    assert.equal(is_answered, false);
    for (const answer of await asking) assertUnavailable(answer);
    services().api_line.judgeBy(null);
    // When the server drops the connection, it rolls back what was not committed.
    for (const { path, question } of asked) await recovered(() => services().ask(path, question));
  });

  it('during the lookup of a key delays requests until another connection looks it up', async () => {
    // Keys are cached for two seconds.
    await pause(2500);
    services().api_line.judgeBy(dropEachOnce([/from api_keys/]));
    const answers = await Promise.all(Array.from({ length: 5 }, () => services().ask('/v1/pricing-plans')));
    assert.equal(services().api_line.broken(), 1);
    services().api_line.judgeBy(null);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  it('if all are silent: each request fails with 500, none with 429, and all recover afterwards', async () => {
    await services().done('/v1/pricing-plans');
    services().api_line.judgeBy(dropAll);
    const asked: [string, Asked?][] = [
      ['/v1/events', { body: anEvent() }],
      ['/v1/customers', { body: { external_id: newRequestId() } }],
      ['/v1/customers'],
      [`/v1/customers/${customer_id}`],
      [`/v1/subscriptions/${subscription_id}/cancel`, { body: { at: 'now' } }],
      ...Array.from({ length: CROWD }, (): [string, Asked] => ['/v1/events', { body: anEvent() }]),
    ];
    const asking = asked.map(([path, question]) => services().ask(path, question));
    // The queue of batches is only full after five seconds without any response of the database.
    const early = Array.from({ length: 20 }, () => services().ask('/v1/events/batch', { body: aBatch(100) }));
    await pause(5500);
    const crowd = Array.from({ length: CROWD }, () =>
      services().ask('/v1/events/batch', { body: aBatch(100) }),
    );
    assert.equal((await services().ask('/healthz')).status, 200);
    for (const answer of await Promise.all([...asking, ...early, ...crowd])) assertUnavailable(answer);
    services().api_line.judgeBy(null);
    await recovered(() => services().ask('/v1/events', { body: anEvent() }));
    assert.equal(runsOn(services().api), true);
  });

  it('in a step of billing delays the period', async () => {
    const invoices = await invoicesOnce(subscription_id, 'open');
    assert.equal(invoices.length, 1);
    assert.equal(runsOn(services().worker), true);
  });

  it('in a regeneration delays it, and it is done once', async () => {
    const [first, second, third] = await regenerated;
    assert.deepEqual([first.status, second.status], [201, 202]);
    assertUnavailable(third);
    assert.equal((await recovered(() => regenerate(unasked))).status, 201);
    for (const { id, subscription_id: of } of [committed, uncommitted, unasked]) {
      const [replacement, replaced, ...more] = await invoicesOnce(of, 'void');
      assert.deepEqual([replacement!.status, replacement!.total], ['open', '2.00']);
      assert.deepEqual([replaced!.status, replaced!.id, more], ['void', id, []]);
      // The step whose commit got no response may not have been retried yet.
      const again = await eventually(
        () => regenerate(replacement!, { 'Idempotency-Key': replacement!.id }),
        ({ status }) => status !== 202,
      );
      assert.deepEqual([again.status, again.body.total], [201, '2.00']);
      const statuses = (await invoicesOnce(of, 'open')).map(({ status }) => status);
      assert.deepEqual(statuses, ['open', 'void', 'void']);
    }
    assert.equal(runsOn(services().worker), true);
  });
});
