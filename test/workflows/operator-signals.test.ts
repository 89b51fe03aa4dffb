import assert from 'node:assert/strict';
import { transaction } from '../../src/db/connection/pool.ts';
import { requestRegeneration } from '../../src/db/subscriptions/regenerations.ts';
import { RECONCILE_SCHEDULE, workflowIdOf } from '../../workflows/messages.ts';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { runsOf, valuesOf, type HistoryEvent } from '../support/servers/histories.ts';
import { at, testCustomersOn, PER_UNIT, requestsTo, times } from '../support/ledger/test-customer.ts';
import { useStack } from '../support/servers/stack.ts';

const INVOICES = '/v1/invoices';

describe('a signal from the Temporal UI, with only an id', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));

  /** January's invoice of a new customer. */
  async function invoiceThatIs(state: 'open' | 'void'): Promise<Json> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    await use(customer_id, times(3, {}));
    const [made] = await advance(customer_id, at('02-01'));
    return state === 'open' ? made : done(`${INVOICES}/${made.id}/void`);
  }

  const statesOf = async ({ subscription_id }: Json) =>
    (await read(`${INVOICES}?subscription_id=${subscription_id}`)).data
      .map(({ status }: Json) => status)
      .sort();

  const signal = (subscription_id: string, name: string, ...args: unknown[]) =>
    stack()
      .temporal.client.workflow.getHandle(workflowIdOf(subscription_id))
      .signal(name, ...args);

  /** Results of an activity in the workflow's history, including earlier runs, as an operator sees them. */
  async function resultsOf(subscription_id: string, activity: string): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const events of await runsOf(stack().temporal, subscription_id)) {
      const isWanted = (event: HistoryEvent) =>
        event.activityTaskScheduledEventAttributes?.activityType?.name === activity;
      const ids = new Set(events.filter(isWanted).map(({ eventId }) => `${eventId}`));
      for (const { activityTaskCompletedEventAttributes: completed } of events) {
        if (!ids.has(`${completed?.scheduledEventId}`)) continue;
        results.push(valuesOf(completed!.result)[0]);
      }
    }
    return results;
  }

  it('regenerateInvoice replaces the invoice, and reports it; a second one reports why not', async () => {
    const invoice = await invoiceThatIs('open');
    const { id, subscription_id } = invoice;
    await signal(subscription_id, 'regenerateInvoice', id);
    const old = await eventually(
      () => read(`${INVOICES}/${id}`),
      ({ status }) => status === 'void',
    );
    assert.deepEqual(await statesOf(invoice), ['open', 'void']);
    await signal(subscription_id, 'regenerateInvoice', id);
    const results = await eventually(
      () => resultsOf(subscription_id, 'regenerateInvoice'),
      ({ length }) => length === 2,
    );
    assert.equal(results[0], `${id} was replaced by ${old.replaced_by}.`);
    assert.match(`${results[1]}`, new RegExp(`^${id} was not regenerated: invoice ${id} is void`));
    assert.deepEqual(await statesOf(invoice), ['open', 'void']);
  });

  it('a request whose signal was lost is served by the reconciler, also after the subscription has ended', async () => {
    const invoice = await invoiceThatIs('open');
    const { id: invoice_id, subscription_id, customer_id } = invoice;
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await advance(customer_id, at('04-01'));
    await eventually(
      () =>
        stack().pool.query('select from subscriptions where id = $1 and finished_at is not null', [
          subscription_id,
        ]),
      ({ rowCount }) => rowCount === 1,
    );
    const request = { invoice_id, subscription_id, reason: null, request_key: null };
    const id = await transaction(stack().pool, (db) => requestRegeneration(db, 1, request));
    await stack().temporal.client.schedule.getHandle(RECONCILE_SCHEDULE).trigger();
    const served = await eventually(
      () => read(`/v1/regenerations/${id}`),
      ({ status }) => status !== 'pending',
    );
    assert.equal(served.status, 'done');
    assert.equal((await read(`${INVOICES}/${served.new_invoice_id}`)).replaces, invoice_id);
  });

  it('an id that is no invoice of the subscription is reported, and the workflow goes on', async () => {
    const invoice = await invoiceThatIs('void');
    const { subscription_id } = invoice;
    for (const nonsense of ['inv_nothing', { id: 1 }, undefined])
      await signal(subscription_id, 'regenerateInvoice', nonsense);
    const results = await eventually(
      () => resultsOf(subscription_id, 'requestRegeneration'),
      ({ length }) => length === 3,
    );
    for (const result of results) assert.match(`${result}`, /is not an invoice of this subscription\.$/);
    await signal(subscription_id, 'generateNow');
    await eventually(
      () => statesOf(invoice),
      (states) => states.includes('open'),
    );
  });
});
