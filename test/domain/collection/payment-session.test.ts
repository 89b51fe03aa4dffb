import assert from 'node:assert/strict';
import {
  outcomeOf,
  type PageOutcome,
  type PageState,
} from '../../../src/domain/collection/payment-session.ts';

/** billing.md 22. */
describe('a page on which an invoice is paid, as the provider has it', () => {
  const OUTCOMES: readonly [PageState['status'], PageState['intent_status'], PageOutcome][] = [
    ['open', null, 'open'],
    ['open', 'declined', 'open'],
    ['open', 'action_required', 'open'],
    ['complete', null, 'open'],
    ['complete', 'processing', 'under_way'],
    ['complete', 'action_required', 'under_way'],
    ['complete', 'unconfirmed', 'under_way'],
    ['complete', 'succeeded', 'paid'],
    ['complete', 'declined', 'over'],
    ['complete', 'canceled', 'over'],
    ['expired', null, 'over'],
    ['expired', 'canceled', 'over'],
  ];
  for (const [status, intent_status, outcome] of OUTCOMES)
    it(`${status}, its charge ${intent_status ?? 'not made'}: ${outcome}`, () => {
      assert.equal(outcomeOf({ status, intent_status }), outcome);
    });
});
