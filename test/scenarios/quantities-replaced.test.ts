import assert from 'node:assert/strict';
import { quantitiesOn, SEATS_IN_ADVANCE } from '../support/ledger/quantities.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** billing.md 14: quantities of fees in advance that others replace, or that are gone with a change of plan. */
describe('quantities of fees in advance that are replaced', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done } = customers;
  const { aLife, billsOf, go, notesOf, seats, totalsOf } = quantitiesOn(customers);
  const OPENING = 'opening 80.00 (80.00)';
  const planOf = (flat_amount: string) => customers.plan([{ ...SEATS_IN_ADVANCE, flat_amount }]);
  const quantitiesOf = async (id: string) => (await customers.read(`/v1/subscriptions/${id}`)).quantities;

  it('15 from the 16th, `now`; then 5 there by `none`: a note of the 20.00 alone', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await go(id, '04-16');
    await seats(subscription_id, '15', 'now', { bill: 'now' });
    await seats(subscription_id, '5', 'now', { settle: 'none' });
    const [note] = await notesOf(id);
    assert.deepEqual(
      [note!.total, note!.reason.replace(/ \d{4}/, '')],
      ['20.00', 'Quantity of April corrected'],
    );
    await go(id, '05-01');
    assert.deepEqual((await billsOf(id)).at(-1), 'period 40.00 (40.00)');
    assert.deepEqual(await totalsOf(id), ['20.00']);
  });

  it('3 from the 26th; on the 21st 12, then 5 from the 16th: 1.33 at once, 12.00 on the 26th', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await go(id, '04-21');
    await seats(subscription_id, '3', '04-26');
    await seats(subscription_id, '12', '04-21');
    await seats(subscription_id, '5', '04-16');
    assert.deepEqual(await totalsOf(id), ['1.33']);
    await go(id, '04-26');
    assert.deepEqual(await totalsOf(id), ['1.33', '12.00']);
  });

  it('another one than before at one instant is corrected, and no lower one', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await go(id, '04-16');
    await seats(subscription_id, '15', 'now', { bill: 'now' });
    await seats(subscription_id, '12', 'now');
    const [note] = await notesOf(id);
    assert.deepEqual(
      [note!.total, note!.reason.replace(/ \d{4}/, '')],
      ['12.00', 'Quantity of April corrected'],
    );
  });

  it('a lower one by `now` makes no opening, also where something is lacking', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    await seats(subscription_id, '15', '04-11');
    await seats(subscription_id, '12', '04-21', { bill: 'now' });
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), [
      OPENING,
      'period 96.00 (96.00) and 18.67 (26.67, 40.00, 32.00 less 80.00)',
    ]);
  });

  it('a higher one of a change of plan is credited where the change is taken back, and gone with another in its place', async () => {
    const { id, subscription_id } = await aLife([SEATS_IN_ADVANCE]);
    const [nine, ten] = [await planOf('9.00'), await planOf('10.00')];
    const path = `/v1/subscriptions/${subscription_id}/change`;
    const change = { plan_id: nine, at: at('05-16'), proration: 'none', quantities: { seat: '15' } };
    await done(path, change);
    await go(id, '05-05');
    assert.equal((await billsOf(id)).at(-1), 'period 100.65 (38.71, 61.94)');
    await customers.get(path, { method: 'DELETE' });
    const [note] = await notesOf(id);
    assert.deepEqual(
      [note!.total, note!.reason.replace(/ \d{4}/, '')],
      ['20.65', 'Quantity of May corrected'],
    );
    await done(path, change);
    await go(id, '05-16');
    assert.equal((await quantitiesOf(subscription_id)).seat, '15');
    await done(path, { plan_id: ten, at: at('05-16'), proration: 'none' });
    assert.equal((await quantitiesOf(subscription_id)).seat, '10');
    await go(id, '06-01');
    assert.deepEqual((await billsOf(id)).at(-1), 'period 100.00 (100.00)');
    assert.deepEqual(await totalsOf(id), ['20.65']);
  });
});
