import assert from 'node:assert/strict';
import { CHECK_SCHEDULE, CHECK_WORKFLOW, SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import type { CheckResult } from '../../activities/invariants.ts';
import { eventually } from '../support/eventually.ts';
import { useStack } from '../support/stack.ts';

describe('the hourly check', function () {
  this.timeout(90_000);
  const stack = useStack();

  async function metric(name: string): Promise<number | null> {
    const text = await (await fetch(`${stack().api_url}/metrics`)).text();
    const line = text.split('\n').find((text) => text.startsWith(`${name} `));
    return line === undefined ? null : Number(line.split(' ')[1]);
  }

  it('stands in the metrics and in the list of workflows, and completes whatever it finds', async () => {
    const { temporal, pool } = stack();
    assert.equal(await metric('tidemark_invariant_breaches{invariant="I13"}'), null);
    await pool.query('update environments set last_invoice_number = 1 where livemode');
    await temporal.client.schedule.getHandle(CHECK_SCHEDULE).trigger();
    const breaches = await eventually(
      () => metric('tidemark_invariant_breaches{invariant="I13"}'),
      (value) => value !== null,
    );
    assert.equal(breaches, 1);
    assert.equal(await metric('tidemark_invariant_breaches{invariant="I5"}'), 0);
    assert.equal(await metric('tidemark_invariant_breaches{invariant="I23"}'), 0);
    const checked_at = (await metric('tidemark_invariants_checked_timestamp_seconds'))!;
    assert.ok(Math.abs(Date.now() / 1000 - checked_at) < 60);

    const state = `${SEARCH_ATTRIBUTES.state.name} = 'breached'`;
    const query = `WorkflowType = '${CHECK_WORKFLOW}' and ExecutionStatus = 'Completed' and ${state}`;
    const { count } = await eventually(
      () => temporal.client.workflow.count(query),
      (found) => found.count > 0,
    );
    assert.equal(count, 1);
    for await (const { workflowId } of temporal.client.workflow.list({ query })) {
      const result: CheckResult = await temporal.client.workflow.getHandle(workflowId).result();
      assert.equal(result.state, 'breached');
      assert.match(result.details, /^\| I13 \| 1 \|/m);
      assert.match(result.details, /^- I13: environment \d+, number 1$/m);
    }
    await pool.query('update environments set last_invoice_number = 0');
  });
});
