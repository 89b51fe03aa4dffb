import assert from 'node:assert/strict';
import { CHECK_SCHEDULE, CHECK_WORKFLOW, SEARCH_ATTRIBUTES } from '../../workflows/messages.ts';
import type { CheckResult } from '../../activities/invariants.ts';
import { eventually } from '../support/servers/eventually.ts';
import { useStack } from '../support/servers/stack.ts';

const CHECKS = `WorkflowType = '${CHECK_WORKFLOW}'`;

describe('the hourly check', function () {
  const stack = useStack();
  const schedule = () => stack().temporal.client.schedule.getHandle(CHECK_SCHEDULE);

  async function metric(name: string): Promise<number | null> {
    const text = await (await fetch(`${stack().api_url}/metrics`)).text();
    const line = text.split('\n').find((text) => text.startsWith(`${name} `));
    return line === undefined ? null : Number(line.split(' ')[1]);
  }

  // Pauses the hourly schedule, so that the only run is the one that the test starts.
  beforeEach(async () => {
    await schedule().pause();
    await eventually(
      () => stack().temporal.client.workflow.count(`${CHECKS} and ExecutionStatus = 'Running'`),
      (running) => running.count === 0,
    );
    await stack().pool.query('delete from checks');
    await stack().pool.query('update environments set last_invoice_number = 1 where livemode');
  });
  afterEach(async () => {
    await stack().pool.query('update environments set last_invoice_number = 0');
    await schedule().unpause();
  });

  it('appears in the metrics and in the list of workflows, and completes with any findings', async () => {
    const { client } = stack().temporal;
    const asked_at = new Date().toISOString();
    await schedule().trigger();
    const breaches = await eventually(
      () => metric('tidemark_invariant_breaches{invariant="I13"}'),
      (value) => value === 1,
    );
    assert.equal(breaches, 1);
    assert.equal(await metric('tidemark_invariant_breaches{invariant="I5"}'), 0);
    assert.equal(await metric('tidemark_invariant_breaches{invariant="I23"}'), 0);
    const checked_at = (await metric('tidemark_invariants_checked_timestamp_seconds'))!;
    assert.ok(Math.abs(Date.now() / 1000 - checked_at) < 60);

    const state = `${SEARCH_ATTRIBUTES.state.name} = 'breached'`;
    const query = `${CHECKS} and ExecutionStatus = 'Completed' and ${state} and StartTime >= '${asked_at}'`;
    const { count } = await eventually(
      () => client.workflow.count(query),
      (found) => found.count > 0,
    );
    assert.equal(count, 1);
    for await (const { workflowId } of client.workflow.list({ query })) {
      const result: CheckResult = await client.workflow.getHandle(workflowId).result();
      assert.equal(result.state, 'breached');
      assert.match(result.details, /^\| I13 \| 1 \|/m);
      assert.match(result.details, /^- I13: environment \d+, number 1$/m);
      assert.match(result.details, /^What changed up to \S+Z was checked; /m);
      assert.match(result.details, /^\| part \| checked in this round \|/m);
    }
  });
});
