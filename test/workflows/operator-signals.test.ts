import assert from 'node:assert/strict';
import type { WorkflowHandle } from '@temporalio/client';
import { workflowIdOf } from '../../workflows/messages.ts';
import type { Json } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { at, livesOn, PER_UNIT, requestsTo, times } from '../support/lives.ts';
import { useStack } from '../support/stack.ts';

const INVOICES = '/v1/invoices';
type HistoryEvent = NonNullable<Awaited<ReturnType<WorkflowHandle['fetchHistory']>>['events']>[number];

describe('a signal from the Temporal UI, with nothing but an id', () => {
  const stack = useStack();
  const { advance, customer, done, plan, read, subscribe, use } = livesOn(requestsTo(stack));

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

  /** Results of an activity in the workflow's history, its earlier runs included: what an operator reads there. */
  async function resultsOf(subscription_id: string, activity: string): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const events of await runsOf(subscription_id)) {
      const isWanted = (event: HistoryEvent) =>
        event.activityTaskScheduledEventAttributes?.activityType?.name === activity;
      const ids = new Set(events.filter(isWanted).map(({ eventId }) => `${eventId}`));
      for (const { activityTaskCompletedEventAttributes: completed } of events) {
        if (!ids.has(`${completed?.scheduledEventId}`)) continue;
        results.push(JSON.parse(Buffer.from(completed!.result!.payloads![0]!.data!).toString()));
      }
    }
    return results;
  }

  /** The histories of a workflow's runs, the first one first. */
  async function runsOf(subscription_id: string): Promise<HistoryEvent[][]> {
    const runs: HistoryEvent[][] = [];
    const { client } = stack().temporal;
    for (let run_id = ''; ;) {
      const history = await client.workflow.getHandle(workflowIdOf(subscription_id), run_id).fetchHistory();
      runs.unshift(history.events!);
      run_id = history.events![0]!.workflowExecutionStartedEventAttributes!.continuedExecutionRunId!;
      if (run_id === '') return runs;
    }
  }

  it('regenerateInvoice replaces it, and says so; a second one says why not', async () => {
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
    assert.equal(results[0], `${id} is replaced by ${old.replaced_by}.`);
    assert.match(`${results[1]}`, new RegExp(`^${id} stays as it is: invoice ${id} is void`));
    assert.deepEqual(await statesOf(invoice), ['open', 'void']);
  });

  it('what is no invoice of the subscription is told so, and the workflow goes on', async () => {
    const invoice = await invoiceThatIs('void');
    const { subscription_id } = invoice;
    for (const nonsense of ['inv_nothing', { id: 1 }, undefined])
      await signal(subscription_id, 'regenerateInvoice', nonsense);
    const results = await eventually(
      () => resultsOf(subscription_id, 'requestRegeneration'),
      ({ length }) => length === 3,
    );
    for (const result of results) assert.match(`${result}`, /is no invoice of this subscription\.$/);
    await signal(subscription_id, 'generateNow');
    await eventually(
      () => statesOf(invoice),
      (states) => states.includes('open'),
    );
  });
});
