import assert from 'node:assert/strict';
import { readConfig } from '../../../src/settings/config.ts';
import { newId } from '../../../src/keys/ids.ts';
import { connectTemporal } from '../../../src/temporal/temporal.ts';
import { workflowIdOf } from '../../../workflows/messages.ts';
import { useTemporal } from '../../support/servers/temporal.ts';

/** Longer than the timeout of a call to Temporal. */
const STALL_MS = 5500;

describe('a process that was suspended', () => {
  const address = useTemporal();

  it('still signals the workflow', async () => {
    const temporal = connectTemporal(readConfig({ TEMPORAL_ADDRESS: address() }));
    const subscription = { environment_id: 1, subscription_id: newId('sub') };
    const reached = temporal.nudge([subscription], 'wake');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS);
    assert.equal(await reached, 1);
    await temporal.client.workflow.getHandle(workflowIdOf(subscription.subscription_id)).terminate();
    await temporal.close();
  }).timeout(20_000);
});
