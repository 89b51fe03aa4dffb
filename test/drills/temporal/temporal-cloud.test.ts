import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '../../../src/settings/config.ts';
import { msToTs } from '@temporalio/common/lib/time.js';
import { connectTemporal, type Temporal } from '../../../src/temporal/temporal.ts';
import { newRequestId } from '../../../src/keys/ids.ts';
import { createDatabase } from '../../support/servers/cluster.ts';
import { runCommand, startCommand } from '../../support/servers/command.ts';
import { startStack, type Stack } from '../../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../../support/ledger/subscriptions.ts';
import { startGateway, type Gateway } from '../../support/servers/temporal-gateway.ts';
import { useTemporal } from '../../support/servers/temporal.ts';

const MISSING =
  /^Temporal does not let this process register search attributes: create these in the namespace \S+, if they are not there yet: BillingCustomerId \(Keyword\), .*WebhookState \(Keyword\), CollectionState \(Keyword\)\.$/m;

/** The server's namespaces are made by an administrator, who does not go through the gateway. */
describe('Temporal that is as strict as Temporal Cloud', function () {
  this.timeout(180_000);
  const address = useTemporal();
  let gateway: Gateway;
  let administrator: Temporal;
  before(async () => {
    gateway = await startGateway(address());
    administrator = connectTemporal(readConfig({ TEMPORAL_ADDRESS: address() }));
  });
  after(async () => {
    gateway.close();
    await administrator.close();
  });

  async function registerNamespace(namespace: string): Promise<void> {
    const workflowExecutionRetentionPeriod = msToTs('30 days');
    await administrator.client.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod,
    });
  }

  it('setup waits for the namespace, says which search attributes must exist, and goes on', async () => {
    const TEMPORAL_NAMESPACE = newRequestId();
    const settings = { ...gateway.settings, TEMPORAL_NAMESPACE, DATABASE_URL: await createDatabase() };
    const setup = startCommand(settings, ['setup']);
    await pause(3000);
    await registerNamespace(TEMPORAL_NAMESPACE);
    const { code, stdout, stderr } = await setup.ended;
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, MISSING);
    assert.match(stdout, /^Registered in Temporal: the account acct_\w+ as the owner of the namespace/m);
    const doctor = await runCommand(settings, 'doctor');
    assert.match(
      doctor.stdout,
      /^warn +Temporal search attributes +may not be listed here; these must exist: /m,
    );
    // The administrator's own setup registers them, for the account that is the owner.
    const [, account_id] = /(acct_\w+) as the owner/.exec(stdout)!;
    const direct = connectTemporal(readConfig({ TEMPORAL_ADDRESS: address(), TEMPORAL_NAMESPACE }));
    await direct.setUp(account_id!);
    await direct.close();
    assert.match(
      (await runCommand(settings, 'setup')).stdout,
      /^Everything was there; nothing has changed\.$/m,
    );
    assert.doesNotMatch((await runCommand(settings, 'setup')).stdout, MISSING);
  });

  it('bills, with TLS, a client certificate and an API key', async () => {
    const stops: (() => Promise<void>)[] = [];
    const stack: Stack = await startStack({ ...gateway.settings, GRACE_PERIOD: '0s' }, stops);
    try {
      const { subscribe, invoicesOf } = subscriptionsOf(() => stack);
      const billing_anchor = new Date(Date.now() - 600_000).toISOString();
      const { id } = await subscribe({ start_date: daysAgo(1), billing_anchor });
      await invoicesOf(id, (invoices) => invoices.some(({ number }) => number !== null));
    } finally {
      for (let stop = stops.pop(); stop !== undefined; stop = stops.pop()) await stop();
    }
  });

  it('a wrong key is refused with a sentence and the exit code 2', async () => {
    const settings = { ...gateway.settings, TEMPORAL_API_KEY: 'wrong', DATABASE_URL: await createDatabase() };
    const { code, stderr } = await runCommand(settings, 'setup');
    assert.match(stderr, /^error: Temporal does not accept this process: .*; check TEMPORAL_API_KEY\n$/);
    assert.equal(code, 2);
  });
});
