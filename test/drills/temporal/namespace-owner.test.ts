import assert from 'node:assert/strict';
import { Client } from '@temporalio/client';
import { seedAccount } from '../../../src/db/account/accounts.ts';
import { anyFreePort, isOk } from '../../../dev/ports.ts';
import { OWNER_SCHEDULE, workflowIdOf } from '../../../workflows/messages.ts';
import { send } from '../../support/servers/api.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { startProgram, type Running } from '../../support/servers/command.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../../support/ledger/subscriptions.ts';
import { temporalAddress } from '../../support/servers/temporal.ts';

const FOREIGN =
  /^the Temporal namespace billing belongs to the account acct_\w+, and this database has the account acct_\w+: set TEMPORAL_NAMESPACE to a namespace of its own\n$/;

/** The first deployment is the stack; the second has another database, and by mistake the same namespace. */
describe('two deployments on one namespace', function () {
  this.timeout(180_000);
  const stack = useStack();
  const { handleOf, subscribe } = subscriptionsOf(stack);
  let settings: { DATABASE_URL: string; TEMPORAL_ADDRESS: string; TIDEMARK_SECRET: string };
  let live_key: string;
  before(async () => {
    const DATABASE_URL = await createDatabase();
    ({ live_key } = await seedAccount(DATABASE_URL, null));
    const TEMPORAL_ADDRESS = await temporalAddress();
    settings = { DATABASE_URL, TEMPORAL_ADDRESS, TIDEMARK_SECRET: 'secret of a test' };
  });

  const startWorker = (more: object = {}): Running =>
    startProgram({ ...settings, ...more }, ['worker/main.ts']);

  it('the second worker ends with a sentence, and no workflow of the first is ended', async () => {
    const { id } = await subscribe({ start_date: daysAgo(1) });
    await eventually(
      () => stack().temporal.stateOf(id),
      (state) => state?.is_running === true,
    );
    const { code, stderr } = await startWorker().ended;
    assert.equal(code, 2);
    assert.match(stderr, FOREIGN);
    await handleOf(id).signal('wake');
    assert.equal((await handleOf(id).describe()).status.name, 'RUNNING');
    const doctor = await startProgram(settings, ['cli/main.ts', 'doctor']).ended;
    assert.match(
      doctor.stdout,
      /^fail +Temporal namespace owner +the Temporal namespace billing belongs to /m,
    );
  });

  it('the second API serves, starts no workflow there, and logs why', async () => {
    const port = await anyFreePort();
    const url = `http://127.0.0.1:${port}`;
    const api = startProgram({ ...settings, PORT: `${port}` }, ['api/main.ts']);
    await eventually(() => isOk(`${url}/readyz`), Boolean);
    await eventually(
      async () => api.output().stdout,
      (log) => log.includes('workflows are not started'),
    );
    const post = (path: string, body: object) =>
      send(`${url}/v1${path}`, { method: 'POST', body, key: live_key });
    await post('/customers', { external_id: 'acme' });
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' }];
    const plan = await post('/pricing-plans', { name: 'Plan', charges });
    const made = await post('/subscriptions', { customer_id: 'acme', plan_id: plan.body.id });
    assert.equal(made.status, 201);
    api.child.kill('SIGTERM');
    assert.equal((await api.ended).code, 0);
    await assert.rejects(stack().temporal.client.workflow.getHandle(workflowIdOf(made.body.id)).describe());
  });

  it('a worker whose namespace becomes that of another account ends with the sentence', async () => {
    const TEMPORAL_NAMESPACE = 'owners';
    const worker = startWorker({ TEMPORAL_NAMESPACE, LOG_LEVEL: 'info' });
    await eventually(
      async () => worker.output().stdout,
      (log) => log.includes('"RUNNING"'),
    );
    const { connection } = stack().temporal.client;
    const { schedule } = new Client({ connection, namespace: TEMPORAL_NAMESPACE });
    const { action, state } = await schedule.getHandle(OWNER_SCHEDULE).describe();
    await schedule.getHandle(OWNER_SCHEDULE).delete();
    const memo = { account_id: 'acct_other' };
    await schedule.create({ scheduleId: OWNER_SCHEDULE, spec: {}, action, state, memo });
    const { code, stderr } = await worker.ended;
    assert.equal(code, 2);
    assert.match(stderr, /^the Temporal namespace owners belongs to the account acct_other, and /);
  });
});
