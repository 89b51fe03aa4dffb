import assert from 'node:assert/strict';
import type { Ending } from '../../../src/domain/collection/attempt.ts';
import { providerWaitMs } from '../../../src/domain/collection/backoff.ts';
import { INTENT_STATUSES, type IntentStatus } from '../../../src/domain/collection/intent.ts';
import { nextStep, type CollectionStep } from '../../../src/domain/collection/next-step.ts';

const DECLINE = { code: 'card_declined', again: 'by_schedule' } as const;

/** The step of an attempt with an intent of 100.00 in each state, in one word, with its amount or end. */
function stepsOf(ends_as: Ending | null, due: string | null): Record<string, string> {
  const stepOf = (status: IntentStatus) => {
    const decline = status === 'declined' ? DECLINE : null;
    return wordsOf(nextStep({ ends_as }, { status, amount: '100.00', decline }, due));
  };
  return Object.fromEntries([
    ['none', wordsOf(nextStep({ ends_as }, null, due))],
    ...INTENT_STATUSES.map((status) => [status, stepOf(status)]),
  ]);
}

function wordsOf(step: CollectionStep): string {
  switch (step.kind) {
    case 'prepare':
      return step.may_charge ? 'prepare' : 'look';
    case 'set_amount':
      return `set ${step.amount}`;
    case 'cancel':
      return `cancel, ${step.ends_as}${step.decline === null ? '' : ` ${step.decline.code}`}`;
    case 'end':
      return `end, ${step.status}`;
    case 'confirm':
    case 'settle':
    case 'wait':
      return step.kind;
  }
}

describe('the next step of an attempt', () => {
  it('charges what is due', () => {
    assert.deepEqual(stepsOf(null, '100.00'), {
      none: 'prepare',
      unconfirmed: 'confirm',
      processing: 'wait',
      action_required: 'cancel, action_required',
      succeeded: 'settle',
      declined: 'cancel, declined card_declined',
      canceled: 'end, canceled',
    });
  });

  it('follows what is due before it is confirmed', () => {
    assert.deepEqual(stepsOf(null, '70.00'), { ...stepsOf(null, '100.00'), unconfirmed: 'set 70.00' });
    assert.equal(stepsOf(null, '100')['unconfirmed'], 'confirm');
  });

  it('makes and confirms no intent where nothing may be charged, and keeps what is charged', () => {
    assert.deepEqual(stepsOf(null, null), {
      ...stepsOf(null, '100.00'),
      none: 'look',
      unconfirmed: 'cancel, canceled',
    });
  });

  for (const ends_as of ['declined', 'action_required', 'canceled'] as const)
    it(`ends as ${ends_as} once it was to, unless the money came`, () => {
      const code = 'card_declined';
      assert.deepEqual(stepsOf(ends_as, '100.00'), {
        none: 'look',
        unconfirmed: `cancel, ${ends_as}`,
        processing: 'wait',
        action_required: `cancel, ${ends_as}`,
        succeeded: 'settle',
        declined: `cancel, ${ends_as} ${code}`,
        canceled: `end, ${ends_as}`,
      });
    });

  it('waits a minute for a provider that fails, then twice as long, up to fifteen minutes', () => {
    const minutes = [1, 2, 3, 4, 5, 6, 100].map((failures) => providerWaitMs(failures) / 60_000);
    assert.deepEqual(minutes, [1, 2, 4, 8, 15, 15, 15]);
  });
});
