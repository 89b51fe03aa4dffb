import assert from 'node:assert/strict';
import { RECONCILE_SCHEDULE, webhookWorkflowIdOf } from '../../workflows/messages.ts';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { newRequestId } from '../../src/keys/ids.ts';
import { aReceiver, type Receiver } from '../support/servers/receiver.ts';
import { useStack } from '../support/servers/stack.ts';

describe('the workflow of a webhook endpoint', function () {
  this.timeout(180_000);
  const stack = useStack();
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await aReceiver();
  });

  const post = (path: string, body: object = {}): Promise<Json> =>
    stack().done<Json>(stack().test_key, 'POST', path, body);
  const read = (id: string): Promise<Json> =>
    stack().done<Json>(stack().test_key, 'GET', `/v1/webhook-endpoints/${id}`);
  const anEndpoint = () => post('/v1/webhook-endpoints', { url: receiver.url, types: ['customer.*'] });
  const aCustomer = async () => (await post('/v1/customers', { external_id: newRequestId() }))['id'];
  const handleOf = (id: string) => stack().temporal.client.workflow.getHandle(webhookWorkflowIdOf(id));
  /** Waits until these customers have arrived; returns them in the order of arrival. Changes of a moment before the endpoint may come first. */
  const arrived = (...customers: string[]) =>
    eventually(
      async () =>
        receiver.posted.flatMap(({ change: { object_id } }) =>
          customers.includes(object_id) ? [object_id] : [],
        ),
      (ids) => ids.length >= customers.length,
    );
  const stateOf = (id: string, state: string) =>
    eventually(
      // It is started after the commit.
      async () =>
        (
          await handleOf(id)
            .describe()
            .catch(() => null)
        )?.searchAttributes['WebhookState']?.[0],
      (found) => found === state,
    );

  it('sends what happens, signed by the secret of the endpoint', async () => {
    const { secret } = await anEndpoint();
    const customer = await aCustomer();
    assert.deepEqual(await arrived(customer), [customer]);
    receiver.verified(receiver.posted[0]!, secret);
  });

  it('stops and goes on by signals of an operator, and is shown in the list', async () => {
    const { id } = await anEndpoint();
    await stateOf(id, 'delivering');
    await handleOf(id).signal('pause');
    await stateOf(id, 'paused');
    assert.equal((await read(id))['status'], 'paused');
    const customer = await aCustomer();
    const is_sent = () => receiver.posted.some(({ change }) => change['object_id'] === customer);
    assert.ok(!is_sent());
    await handleOf(id).signal('resume');
    assert.deepEqual(await arrived(customer), [customer]);
    assert.equal((await read(id))['status'], 'active');
  });

  it('is started by the reconciler if it was terminated', async () => {
    const { id } = await anEndpoint();
    await stateOf(id, 'delivering');
    await handleOf(id).terminate();
    const customer = await aCustomer();
    await stack().temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
    // The attempt of the workflow that was terminated may still run, so that the change may come twice.
    assert.deepEqual([...new Set(await arrived(customer))], [customer]);
  });

  it('ends when the endpoint is deleted', async () => {
    const { id } = await anEndpoint();
    await stateOf(id, 'delivering');
    await stack().done(stack().test_key, 'DELETE', `/v1/webhook-endpoints/${id}`);
    await handleOf(id).result();
    assert.equal((await stack().call(stack().test_key, 'GET', `/v1/webhook-endpoints/${id}`)).status, 404);
  });

  it('goes on where it was while no worker ran', async () => {
    await anEndpoint();
    const first = await aCustomer();
    await arrived(first);
    const second = await stack().whileAway(aCustomer);
    assert.deepEqual(await arrived(first, second), [first, second]);
  });
});
