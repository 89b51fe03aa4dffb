import assert from 'node:assert/strict';
import { declineOf } from '../../../src/domain/collection/decline.ts';

describe('declines', () => {
  const table: [code: string, advice: string | null, again: string][] = [
    ['insufficient_funds', null, 'by_schedule'],
    ['generic_decline', null, 'by_schedule'],
    ['try_again_later', null, 'later'],
    ['issuer_not_available', null, 'later'],
    ['generic_decline', 'try_again_later', 'later'],
    ['stolen_card', null, 'never'],
    ['debit_not_authorized', null, 'never'],
    ['generic_decline', 'do_not_try_again', 'never'],
    ['try_again_later', 'do_not_try_again', 'never'],
    ['stolen_card', 'try_again_later', 'never'],
    ['expired_card', 'confirm_card_data', 'by_schedule'],
  ];
  for (const [code, advice, again] of table) {
    it(`after ${code} with the advice ${advice ?? 'of nobody'}, again: ${again}`, () => {
      assert.deepEqual(declineOf({ code, advice }), { code, again });
    });
  }
});
