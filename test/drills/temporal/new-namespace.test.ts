import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { bundleWorkflows, startWorker } from '../../../worker/main.ts';
import { readConfig } from '../../../src/settings/config.ts';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { anyFreePort } from '../../../dev/ports.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import { setUpAtStart, type SetUp } from '../../../src/temporal/setup.ts';
import { connectTemporal } from '../../../src/temporal/temporal.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { quietRuntime } from '../../support/servers/quiet-runtime.ts';
import { useTemporal } from '../../support/servers/temporal.ts';

describe('a worker', function () {
  // A Temporal server notices a new namespace within about ten seconds.
  this.timeout(180_000);
  const address = useTemporal();

  it('waits for a Temporal server that starts after it', async () => {
    quietRuntime();
    const database_url = await createDatabase();
    await seedAccount(database_url, null);
    const port = await anyFreePort();
    const settings = {
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_NAMESPACE: newRequestId(),
      TIDEMARK_SECRET: 'secret of a test',
    };
    const config = readConfig({ ...settings, DATABASE_URL: database_url });
    const starting = startWorker(config, { database_url, workflowBundle: await bundleWorkflows() });
    await pause(3000);
    const [host, server_port] = address().split(':');
    const line = createServer((socket) => {
      const to_server = connect(Number(server_port), host);
      socket.pipe(to_server).pipe(socket);
      for (const end of [socket, to_server]) end.on('error', () => undefined);
    });
    line.listen(port, '127.0.0.1');
    const worker = await starting;
    worker.stop();
    await worker.done;
    line.close();
  });

  it('sets up again after a call about a schedule that Temporal did not answer', async () => {
    const TEMPORAL_ADDRESS = `127.0.0.1:${await anyFreePort()}`;
    const config = readConfig({ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE: newRequestId() });
    const temporal = connectTemporal(config);
    let calls = 0;
    const setUp = async (): Promise<SetUp> => {
      calls += 1;
      if (calls === 1) await temporal.owner();
      return { registered: [], missing: null };
    };
    await setUpAtStart({ namespace: config.temporal_namespace, setUp }, 'acct_1');
    assert.equal(calls, 2);
    await temporal.close();
  });

  it('waits for its namespace, which is new on a Temporal server of others, and then works', async () => {
    quietRuntime();
    const database_url = await createDatabase();
    await seedAccount(database_url, null);
    const settings = {
      TEMPORAL_ADDRESS: address(),
      TEMPORAL_NAMESPACE: newRequestId(),
      TIDEMARK_SECRET: 'secret of a test',
    };
    const config = readConfig({ ...settings, DATABASE_URL: database_url });
    const worker = await startWorker(config, { database_url, workflowBundle: await bundleWorkflows() });
    const temporal = connectTemporal(config);
    const reconciled = async () => {
      for await (const run of temporal.client.workflow.list({ query: `ExecutionStatus = 'Completed'` }))
        return run.type;
      return null;
    };
    await eventually(() => reconciled().catch(() => null), Boolean);
    await temporal.close();
    worker.stop();
    await worker.done;
  });
});
