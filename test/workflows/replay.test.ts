import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { bundleWorkflows } from '../../activities/worker.ts';
import { quietRuntime } from '../support/quiet-runtime.ts';

const HISTORIES = new URL('../histories/subscriptionWorkflow/', import.meta.url);

describe('recorded histories', function () {
  this.timeout(60_000);
  let workflowBundle: WorkflowBundleWithSourceMap;
  before(async () => {
    quietRuntime();
    workflowBundle = await bundleWorkflows();
  });

  const read = (file: string) => JSON.parse(readFileSync(new URL(file, HISTORIES), 'utf8'));
  const files = readdirSync(HISTORIES).filter((file) => file.endsWith('.json'));

  it('exist for every kind of run, at least 36', () =>
    assert.ok(files.length >= 36, `${files.length} files`));

  for (const file of files) {
    it(`${file} replays`, () =>
      Worker.runReplayHistory({ workflowBundle }, historyFromJSON(read(file)), 'subscription'));
  }

  it('a workflow with its steps in another order fails to replay', async () => {
    const text = readFileSync(
      new URL(
        files.find((file) => file.includes('caught-up'))!,
        HISTORIES,
      ),
      'utf8',
    );
    const swapped = text
      .replaceAll('"aggregateUsage"', '"SWAP"')
      .replaceAll('"applyCredits"', '"aggregateUsage"')
      .replaceAll('"SWAP"', '"applyCredits"');
    assert.notEqual(swapped, text);
    const replay = Worker.runReplayHistory(
      { workflowBundle },
      historyFromJSON(JSON.parse(swapped)),
      'subscription',
    );
    await assert.rejects(replay, { name: 'DeterminismViolationError' });
  });
});
