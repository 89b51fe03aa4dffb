import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { startKillableCluster, type KillableCluster } from '../../support/citus/killable-cluster.ts';
import { useCitus } from '../../support/citus/use-citus.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { assertSound } from '../../support/ledger/sound.ts';
import { useTemporal } from '../../support/servers/temporal.ts';
import { startStack, type Stack } from '../../support/servers/stack.ts';

const NODES = 3;
const CALLS = { event_name: 'call', pricing_model: 'per_unit', unit_amount: '1.00' };

/** operations.md, *A node that is down*. */
describe('a cluster with a node down', () => {
  const citus = useCitus();
  const temporal = useTemporal();
  const stops: (() => Promise<void>)[] = [];
  let cluster: KillableCluster;
  let stack: Stack;

  before(async () => {
    cluster = await startKillableCluster(citus(), NODES);
    stack = await startStack(
      { DATABASE_URL: cluster.url, TEMPORAL_ADDRESS: temporal(), LOG_LEVEL: 'silent' },
      stops,
    );
  });
  after(async () => {
    for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
  });

  const postEvents = (events: readonly object[]) =>
    stack.call<{ error?: { code: string } }>(stack.live_key, 'POST', '/v1/events/batch', { events });
  const calls = (name: string, count: number, customer_id: string) =>
    Array.from({ length: count }, (_, n) => ({
      event_name: 'call',
      customer_id,
      idempotency_key: `${name}-${n}`,
    }));

  it('stores no part of a batch, goes on with the events of other nodes and with money, and bills once it is back', async () => {
    const { advance, customer, plan, read, subscribe, use } = testCustomersOn(requestsTo(() => stack));
    const billed = await customer({}, at('04-01'));
    await subscribe(billed, await plan([CALLS]), { start_date: at('04-01') });
    await use(billed, [{ event_name: 'call', timestamp: at('04-01') }]);
    const created = await stack.call(stack.live_key, 'POST', '/v1/customers', {
      external_id: 'down',
      name: 'Down',
      currency: 'EUR',
    });
    assert.equal(created.status, 201, JSON.stringify(created.body));

    await cluster.nodes[0]!.kill();
    const batch = calls('batch', 200, 'down');
    const refused = await postEvents(batch);
    assert.deepEqual(
      [refused.status, refused.headers.get('retry-after')],
      [500, '1'],
      JSON.stringify(refused.body),
    );
    // At once, so that they are stored in groups: about a third of the keys are on the node.
    const singles = await Promise.all(
      calls('single', 60, 'down').map((event) => stack.call(stack.live_key, 'POST', '/v1/events', event)),
    );
    const stored = singles.filter(({ status }) => status === 201);
    assert.ok(stored.length > 15 && stored.length < 55, `${stored.length} of 60 are stored`);
    assert.equal(singles.filter(({ status }) => status === 500).length, 60 - stored.length);
    assert.equal((await stack.call(stack.live_key, 'GET', '/v1/customers/down')).status, 200);
    assert.equal((await stack.call(stack.live_key, 'GET', '/v1/invoices')).status, 200);
    // The close needs every node: it is tried again until the node is back.
    const body = { customer_id: billed, to: at('05-02') };
    const closing = stack.call(stack.test_key, 'POST', '/v1/test-clock/advance', body);
    await pause(2000);
    assert.deepEqual((await read(`/v1/invoices?customer_id=${billed}`)).data, []);

    await cluster.nodes[0]!.start();
    await closing;
    await advance(billed, at('05-02'));
    const again = await eventually(
      () => postEvents(batch),
      ({ status }) => status !== 500,
    );
    assert.deepEqual([again.status, (again.body as { created?: number }).created], [201, 200]);
    for (const event of calls('single', 60, 'down')) {
      const { status } = await stack.call(stack.live_key, 'POST', '/v1/events', event);
      assert.ok(status === 200 || status === 201, `${status}`);
    }
    const { data } = await read(`/v1/invoices?customer_id=${billed}`);
    assert.deepEqual(
      data.map(({ total }: { total: string }) => total),
      ['1.00'],
    );
    await assertSound(stack.pool);
  });
});
