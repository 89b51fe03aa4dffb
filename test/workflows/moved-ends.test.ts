import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { useStack } from '../support/servers/stack.ts';
import { subscriptionsOf } from '../support/ledger/subscriptions.ts';

const DAY_MS = 86_400_000;

/** contract.md 3: a workflow that sleeps follows an end that moves, by the real clock. */
describe('the workflow of a subscription whose end or trial moves', function () {
  const stack = useStack();
  const { handleOf, read, subscribe } = subscriptionsOf(stack);
  const ahead = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
  const send = (method: string, id: string, action: string, body?: object) =>
    stack().done<Json>(stack().live_key, method, `/v1/subscriptions/${id}/${action}`, body);

  /** Waits until the workflow shows this state and this end of its wait. */
  async function waits(id: string, state: string, until: string): Promise<void> {
    const shown = async () => {
      const run = await handleOf(id)
        .describe()
        .catch(() => null);
      const attributes = run?.typedSearchAttributes.getAll() ?? [];
      return new Map(attributes.map(({ key, value }) => [key.name, value]));
    };
    await eventually(shown, (attributes) => {
      const shown_until = attributes.get('BillingWaitsUntil');
      return (
        attributes.get('BillingState') === state &&
        shown_until instanceof Date &&
        shown_until.toISOString() === until
      );
    });
  }

  it('sleeps until the new end of a trial, and bills from its end on once it ends now', async () => {
    const [first, second] = [ahead(2), ahead(9)];
    const { id } = await subscribe({ trial_end_date: first });
    await waits(id, 'in_trial', first);
    await send('POST', id, 'trial', { ends_at: second });
    await waits(id, 'in_trial', second);
    const { trial_end_date } = await send('POST', id, 'trial', { ends_at: 'now' });
    const { current_period_start, current_period_end } = await eventually(
      () => read(id),
      ({ current_period_start: start }) => start === trial_end_date,
    );
    assert.equal(current_period_start, trial_end_date);
    await waits(id, 'collecting_usage', current_period_end);
  });

  it('ends a trial that is shortened when its time comes', async () => {
    const { id } = await subscribe({ trial_end_date: ahead(2) });
    const soon = new Date(Date.now() + 2000).toISOString();
    await send('POST', id, 'trial', { ends_at: soon });
    await eventually(
      () => read(id),
      ({ current_period_start }) => current_period_start === soon,
    );
  });

  it('sleeps until the boundary again where a cancellation is taken back', async () => {
    const { id, current_period_end } = await subscribe({});
    const end = ahead(2);
    await send('POST', id, 'cancel', { at: end });
    await waits(id, 'collecting_usage', end);
    await send('DELETE', id, 'cancel');
    await waits(id, 'collecting_usage', current_period_end);
  });

  it('runs until an end before the start, and is started again where that is taken back', async () => {
    const [start_date, end] = [ahead(9), ahead(2)];
    const { id } = await subscribe({ start_date });
    await send('POST', id, 'cancel', { at: end });
    await waits(id, 'waits_for_start', end);
    await handleOf(id).terminate();
    await send('DELETE', id, 'cancel');
    await waits(id, 'waits_for_start', start_date);
    await send('POST', id, 'cancel', { at: new Date(Date.now() + 2000).toISOString() });
    await eventually(
      () => handleOf(id).describe(),
      ({ status }) => status.name === 'COMPLETED',
    );
    assert.equal((await read(id)).status, 'canceled');
  });
});
