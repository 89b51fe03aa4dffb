import assert from 'node:assert/strict';
import { MIGRATION_WORKFLOW, migrationWorkflowIdOf } from '../../workflows/messages.ts';
import { eventually } from '../support/servers/eventually.ts';
import { planMigrationsOn } from '../support/ledger/plan-migrations.ts';
import { useStack } from '../support/servers/stack.ts';
import { FLAT, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const PATH = '/v1/plan-migrations';
const DEAR = { ...FLAT, flat_amount: '199.00' };

describe('a plan migration', function () {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe, read, done } = lives;
  const { finished } = planMigrationsOn(lives);

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
