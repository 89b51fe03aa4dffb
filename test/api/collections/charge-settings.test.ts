import assert from 'node:assert/strict';
import type { Reason } from '../../../src/domain/money/errors.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { usePlannedCharges } from '../../support/ledger/planned-charges.ts';
import { at } from '../../support/ledger/test-customer.ts';

describe('settings of planned charges', () => {
  const charges = usePlannedCharges();
  const { aPayer, patch, read, until } = charges;

  it('of a customer are its own, or the account’s', async () => {
    const id = await charges.customer({ charge_mode: 'manual' });
    assert.equal((await read(`/v1/customers/${id}`)).charge_mode, 'manual');
    await patch(`/v1/customers/${id}`, { charge_mode: null });
    assert.equal((await read(`/v1/customers/${id}`)).charge_mode, null);
  });

  for (const [what, charge_retry_days, param, reason] of [
    ['a day that is not above the one before it', [3, 7, 7], 'charge_retry_days[2]', 'out_of_order'],
    ['a day below 1', [0], 'charge_retry_days[0]', 'out_of_range'],
    ['a day above 60', [61], 'charge_retry_days[0]', 'out_of_range'],
    ['more than eight', [1, 2, 3, 4, 5, 6, 7, 8, 9], 'charge_retry_days', 'too_many'],
  ] as const satisfies [string, number[], string, Reason][])
    it(`refuse ${what}`, async () =>
      assertRefused(await patch('/v1/account', { charge_retry_days }), {
        code: 'invalid_request',
        param,
        reason,
      }));

  it('charge on the due date, and not again without days', async () => {
    await patch('/v1/account', { charge_on: 'due_date', charge_retry_days: [] });
    const id = await aPayer({ declined: 'insufficient_funds' }, { net_days: 14 });
    const planned = await until(id, at('02-01'), 'scheduled');
    assert.equal(planned.collection.next_attempt_at, at('02-15T08:00'));
    await until(id, at('02-16'), 'exhausted');
    assert.deepEqual(await charges.attemptsOf(id), [[at('02-15T08:00'), 'declined']]);
  });
});
