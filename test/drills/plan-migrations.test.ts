import assert from 'node:assert/strict';
import { MIGRATION_WORKFLOW, migrationWorkflowIdOf } from '../../workflows/messages.ts';
import type { Json } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { changesTo, copySubscription, planMigrationsOn, runsOf } from '../support/plan-migrations.ts';
import { useStack } from '../support/stack.ts';
import { FLAT, requestsTo, testCustomersOn } from '../support/test-customer.ts';

const PATH = '/v1/plan-migrations';
const DEAR = { ...FLAT, flat_amount: '199.00' };
/** More than one run of the workflow. */
const MANY = 1120;

describe('a plan migration of many', function () {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe, read, done } = lives;
  const { path, finished, countsOf } = planMigrationsOn(lives);

  /** Subscriptions of as many new customers, in real time. */
  async function subscribers(plan_id: string, count: number): Promise<void> {
    const { id } = await subscribe(await customer({}, null), plan_id);
    await copySubscription(stack().pool, id, count);
  }

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
        assert.equal(await changesTo(stack().pool, to), changed, 'an outcome stands with its change');
      });
    }
    const migration = await finished(id, 300_000);
    assert.deepEqual([migration.status, ...countsOf(migration)], ['done', MANY, MANY, 0, 0, 0]);
    assert.equal(await changesTo(stack().pool, to), MANY);
    const runs = await eventually(
      () => runsOf(stack(), id),
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
    assert.equal(await changesTo(stack().pool, to), 0);
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
