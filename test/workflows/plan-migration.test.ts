import assert from 'node:assert/strict';
import { MIGRATION_WORKFLOW, migrationWorkflowIdOf } from '../../workflows/messages.ts';
import type { Json } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { planMigrationsOn } from '../support/plan-migrations.ts';
import { useStack } from '../support/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../support/test-customer.ts';

const PATH = '/v1/plan-migrations';
const DEAR = { ...FLAT, flat_amount: '199.00' };
const MANY = 1120;

describe('the workflow of a plan migration', function () {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe, read, done, advance } = lives;
  const { path, finished, countsOf } = planMigrationsOn(lives);

  /** Subscriptions of new customers, in real time; copies of one that the API has made. */
  async function subscribers(plan_id: string, count: number): Promise<void> {
    const { id } = await subscribe(await customer({}, null), plan_id);
    await stack().pool.query(
      `with made as (
         insert into customers (environment_id, id, external_id, currency, metadata, created_at)
         select c.environment_id, c.id || n, c.external_id || '-' || n, c.currency, c.metadata, c.created_at
         from subscriptions s join customers c on c.id = s.customer_id, generate_series(2, $2) as n where s.id = $1
         returning environment_id, id
       ), subscription as (
         insert into subscriptions select (jsonb_populate_record(s, jsonb_build_object(
           'id', s.id || n, 'customer_id', s.customer_id || n))).*
         from subscriptions s, generate_series(2, $2) as n where s.id = $1 returning environment_id, id
       )
       insert into periods select (jsonb_populate_record(p, jsonb_build_object('subscription_id', p.subscription_id || n))).*
       from periods p, generate_series(2, $2) as n where p.subscription_id = $1`,
      [id, count],
    );
  }

  const changesTo = async (plan_id: string): Promise<number> => {
    const { rows } = await stack().pool.query<{ changes: number; subscriptions: number }>(
      `select count(*)::integer as changes, count(distinct subscription_id)::integer as subscriptions
       from plan_changes where plan_id = $1`,
      [plan_id],
    );
    assert.equal(rows[0]!.changes, rows[0]!.subscriptions, 'each subscription is changed once');
    return rows[0]!.changes;
  };
  const runsOf = async (id: string): Promise<string[]> => {
    const query = `WorkflowId = '${migrationWorkflowIdOf(id)}'`;
    const names: string[] = [];
    for await (const { status } of stack().temporal.client.workflow.list({ query })) names.push(status.name);
    return names.toSorted();
  };

  it('moves each subscription once, while its workers end again and again, in runs of a thousand', async function () {
    this.timeout(400_000);
    const [from, to] = [await plan([FLAT]), await plan([DEAR])];
    await stack().whileAway(() => subscribers(from, MANY));
    const { id, total } = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'period_end' });
    assert.equal(total, MANY);
    const reached = async (count: number) =>
      eventually(
        () => read(path(id)),
        ({ changed, finished_at }: Json) => changed >= count || finished_at !== null,
      );
    for (const count of [60, 200, 700]) {
      await reached(count);
      await stack().whileAway(async () => {
        const { changed } = await read(path(id));
        assert.equal(await changesTo(to), changed, 'an outcome stands with its change');
      });
    }
    const migration = await finished(id, 300_000);
    assert.deepEqual([migration.status, ...countsOf(migration)], ['done', MANY, MANY, 0, 0, 0]);
    assert.equal(await changesTo(to), MANY);
    const runs = await eventually(
      () => runsOf(id),
      (names) => names.includes('COMPLETED'),
    );
    assert.deepEqual(runs, ['COMPLETED', 'CONTINUED_AS_NEW']);

    // The way back goes by batches too, and over the end of a worker.
    await done(`${path(id)}/take-back`);
    await eventually(
      () => read(path(id)),
      ({ taken_back }: Json) => taken_back >= 100,
    );
    await stack().whileAway(() => Promise.resolve());
    const back = await finished(id, 300_000);
    assert.deepEqual([back.status, ...countsOf(back)], ['taken_back', MANY, 0, 0, 0, MANY]);
    assert.equal(await changesTo(to), 0);
  });

  it('a stop in the middle leaves what is changed, and nothing changes after the response', async function () {
    this.timeout(200_000);
    const [from, to] = [await plan([FLAT]), await plan([DEAR])];
    await subscribers(from, 400);
    const { id } = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'period_end' });
    await eventually(
      () => read(path(id)),
      ({ changed }: Json) => changed > 0,
    );
    const stopped = await done(`${path(id)}/stop`);
    const changes = await changesTo(to);
    assert.equal(stopped.changed, changes);
    assert.ok(changes > 0 && changes < 400, `${changes} are changed`);
    await eventually(
      () => runsOf(id),
      (names) => !names.includes('RUNNING'),
    );
    assert.equal(await changesTo(to), changes);
    assert.deepEqual(await read(path(id)), stopped);
  });

  it('wakes the workflows of what it changes: the change is billed', async () => {
    const [from, to] = [await plan([FLAT]), await plan([DEAR])];
    const customer_id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(customer_id, from);
    await advance(customer_id, at('04-16'));
    const { id } = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'now' });
    await finished(id);
    const { data } = await eventually(
      () => read(`/v1/invoices?subscription_id=${subscription_id}`),
      (list: Json) => list.data.length === 1,
    );
    assert.deepEqual([data[0].plan_id, data[0].period_end, data[0].subtotal], [from, at('04-16'), '24.50']);
  });

  it('is started by the reconciler where the API could not', async function () {
    this.timeout(200_000);
    const [from, to] = [await plan([FLAT]), await plan([DEAR])];
    const { id: subscription_id } = await subscribe(await customer({}, null), from);
    const { id } = await stack().whileAway(async () => {
      const created = await done(PATH, { from_plan_id: from, to_plan_id: to, at: 'period_end' });
      const workflow_id = migrationWorkflowIdOf(created.id);
      const handle = stack().temporal.client.workflow.getHandle(workflow_id);
      await eventually(
        () => handle.describe().catch(() => null),
        (run) => run !== null,
      );
      await handle.terminate();
      return created;
    });
    await finished(id, 150_000);
    assert.equal((await read(`/v1/subscriptions/${subscription_id}`)).pending_change.plan_id, to);
    const query = `WorkflowType = '${MIGRATION_WORKFLOW}' and WorkflowId = '${migrationWorkflowIdOf(id)}'`;
    const { count } = await stack().temporal.client.workflow.count(query);
    assert.equal(count, 2);
  });
});
