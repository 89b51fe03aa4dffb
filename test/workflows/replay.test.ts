import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { bundleWorkflows } from '../../worker/main.ts';
import { quietRuntime } from '../support/servers/quiet-runtime.ts';

const HISTORIES = new URL('../histories/', import.meta.url);

/** The stories that record-histories.ts records, by the type of their workflow. */
const STORIES = {
  subscriptionWorkflow: [
    'trial-and-two-periods',
    'caught-up-from-the-past',
    'draft-finalized-by-signal',
    'parked-and-retried',
    'corrected-and-canceled',
    'many-periods',
  ],
  planMigrationWorkflow: ['moved-and-taken-back'],
  webhookWorkflow: ['endpoint-paused-and-deleted'],
  collectWorkflow: ['declined-and-waited'],
};

type History = { events: { eventId: string; eventType: string; [attributes: string]: unknown }[] };

/** The first recorded event that the workflow code does not repeat; the error contains its id. */
function differenceIn({ events }: History, { name, message }: Error): string {
  const id = /HistoryEvent\(id: (\d+)/.exec(message)?.[1];
  const event = events.find(({ eventId }) => eventId === id);
  if (name !== 'DeterminismViolationError' || event === undefined) return `${name}: ${message}`;
  const activity = /"activityType":\{"name":"(\w+)"/.exec(JSON.stringify(event))?.[1];
  const kind = event.eventType.replace('EVENT_TYPE_', '').toLowerCase();
  return `the workflow code does not repeat event ${id}, ${kind}${activity === undefined ? '' : ` of ${activity}`}: use patched()`;
}

describe('recorded histories', function () {
  let workflowBundle: WorkflowBundleWithSourceMap;
  before(async () => {
    quietRuntime();
    workflowBundle = await bundleWorkflows();
  });

  const read = (file: string) => JSON.parse(readFileSync(new URL(file, HISTORIES), 'utf8'));
  const filesOf = (type: string) =>
    readdirSync(new URL(type, HISTORIES))
      .filter((file) => file.endsWith('.json'))
      .map((file) => `${type}/${file}`);

  for (const [type, stories] of Object.entries(STORIES)) {
    const files = filesOf(type);

    it(`of every version contain each story of ${type}`, () => {
      const versions = new Set(files.map((file) => file.split('-')[0]!));
      assert.ok(versions.size > 0);
      const recorded = new Set(files.map((file) => file.replace(/-\d+\.json$/, '')));
      const missing = [...versions].flatMap((version) =>
        stories.map((story) => `${version}-${story}`).filter((name) => !recorded.has(name)),
      );
      assert.deepEqual(missing, []);
    });

    for (const file of files) {
      it(`${file} replays`, () =>
        Worker.runReplayHistory({ workflowBundle }, historyFromJSON(read(file)), 'replayed').catch(
          (error: Error) => assert.fail(`${file}: ${differenceIn(read(file), error)}`),
        ));
    }
  }

  it('a workflow with another step in its place fails to replay', async () => {
    const text = readFileSync(
      new URL(
        filesOf('subscriptionWorkflow').find((file) => file.includes('caught-up'))!,
        HISTORIES,
      ),
      'utf8',
    );
    // The name of a local activity is in a payload of its marker.
    const swapped = text.replaceAll(/"data": "([^"]+)"/g, (_, payload: string) => {
      const decoded = Buffer.from(payload, 'base64').toString();
      return `"data": "${Buffer.from(decoded.replaceAll('"billNext"', '"nextStep"')).toString('base64')}"`;
    });
    assert.notEqual(swapped, text);
    const replay = Worker.runReplayHistory(
      { workflowBundle },
      historyFromJSON(JSON.parse(swapped)),
      'subscription',
    );
    await assert.rejects(replay, { name: 'DeterminismViolationError' });
  });
});
