import assert from 'node:assert/strict';
import { eventually } from '../support/eventually.ts';
import { activityOf, runsOf } from '../support/histories.ts';
import { useStack } from '../support/stack.ts';
import { daysAgo, subscriptionsOf } from '../support/subscriptions.ts';

/** Decision 31. The runs of a subscription, each by the activities that it ran and its timers, the oldest run first. */
const doneBy =
  (stack: ReturnType<typeof useStack>, subscription_id: string) => async (): Promise<string[]> => {
    // The API answers before the workflow is there.
    const runs = await runsOf(stack().temporal, subscription_id).catch(() => []);
    return runs.map((events) =>
      events
        .flatMap((event) => {
          if (event.timerStartedEventAttributes) return ['timer'];
          return activityOf(event) ?? [];
        })
        .join(', ')
        // The signal that started the first run may arrive with it or after its first question.
        .replace(/^(nextStep, )+/, 'nextStep, '),
    );
  };

const isAsleepIn = (runs: number) => (done: string[]) => done.length === runs && done.at(-1) === 'timer';

const soon = () => ({
  start_date: daysAgo(1),
  // Later than a busy machine needs to start the workflow.
  billing_anchor: new Date(Date.now() + 12_000).toISOString(),
});

describe('the close of a period by its timer', function () {
  this.timeout(180_000);
  const stack = useStack({ GRACE_PERIOD: '0s' });
  const { subscribe, invoicesOf } = subscriptionsOf(stack);

  it('is three activities: the wait knew the step, and the issue answers with the next', async () => {
    const { id } = await subscribe(soon());
    const [issued] = await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    assert.equal(issued!.total, '0.00');
    const done = await eventually(doneBy(stack, id), isAsleepIn(2));
    assert.deepEqual(done, ['nextStep, timer, aggregateUsage, applyCredits, issueInvoice', 'timer']);
  });

  it('asks the rows if they say something else by then', async () => {
    const { id } = await subscribe(soon());
    await eventually(doneBy(stack, id), ([first]) => first?.endsWith('timer') === true);
    // As if a person had parked it without a signal.
    await stack().pool.query(`update subscriptions set attention = 'by hand' where id = $1`, [id]);
    const [done] = await eventually(doneBy(stack, id), ([first]) => /aggregateUsage, \w+/.test(first ?? ''));
    assert.equal(done, 'nextStep, timer, aggregateUsage, nextStep');
    await stack().pool.query('update subscriptions set attention = null where id = $1', [id]);
    await stack().temporal.nudge([await keyOf(id)], 'wake');
    await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
  });

  async function keyOf(subscription_id: string) {
    const { rows } = await stack().pool.query<{ environment_id: number }>(
      'select environment_id from subscriptions where id = $1',
      [subscription_id],
    );
    return { environment_id: rows[0]!.environment_id, subscription_id };
  }
});

describe('the close of a period whose draft is held', function () {
  this.timeout(180_000);
  const stack = useStack({ GRACE_PERIOD: '6s' });
  const { subscribe, invoicesOf } = subscriptionsOf(stack);

  it('is five activities: two for the draft, and three once the hold ends', async () => {
    const { id } = await subscribe(soon());
    await invoicesOf(id, ([invoice]) => invoice?.status === 'paid');
    const done = await eventually(doneBy(stack, id), isAsleepIn(3));
    assert.deepEqual(done, [
      'nextStep, timer, aggregateUsage, applyCredits',
      'timer, aggregateUsage, applyCredits, issueInvoice',
      'timer',
    ]);
  });
});
