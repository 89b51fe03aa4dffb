import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { assertRefused } from '../support/ledger/refused.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const SUM = { pricing_model: 'per_unit', unit_amount: '1', aggregation: { type: 'sum', property: 'n' } };
const CALLS = { ...SUM, event_name: 'call' };

/** Invoice items of subscriptions that end (billing.md 7). */
describe('invoice items of a subscription', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, get, plan, post, read, subscribe } = testCustomersOn(request);

  const fee = (event_name = 'fee') => ({ event_name, pricing_model: 'flat', flat_amount: '50' });
  async function aLife(dates: object = {}): Promise<{ id: string; subscription_id: string }> {
    const id = await customer();
    return { id, subscription_id: (await subscribe(id, await plan([fee(), CALLS]), dates)).id };
  }
  const add = (customer_id: string, unit_amount: string, parts: object = {}) =>
    post('/v1/invoice-items', { customer_id, description: 'Setup', unit_amount, ...parts });
  const added = async (...args: Parameters<typeof add>): Promise<Json> => {
    const { status, body } = await add(...args);
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const assertTakesNone = async (...args: Parameters<typeof add>) =>
    assertRefused(await add(...args), { code: 'conflict', reason: 'invalid_state' });
  const remove = (id: string) => request(`/v1/invoice-items/${id}`, { method: 'DELETE' });
  const cancel = (id: string, when: 'now' | 'period_end'): Promise<Json> =>
    done(`/v1/subscriptions/${id}/cancel`, { at: when });
  const upcoming = (id: string) => get(`/v1/subscriptions/${id}/upcoming-invoice`);
  const assertNoneFollows = async (id: string) =>
    assertRefused(await upcoming(id), { code: 'conflict', reason: 'invalid_state' });
  const isFinished = async (id: string): Promise<boolean> => {
    const { rows } = await stack().pool.query<{ is_finished: boolean }>(
      'select finished_at is not null as is_finished from subscriptions where id = $1',
      [id],
    );
    return rows[0]!.is_finished;
  };
  const untilFinished = (id: string) => eventually(() => isFinished(id), Boolean);
  const billsOf = (invoices: Json[]) =>
    invoices.map(({ period_start, period_end, line_items, total }) => [
      ...[period_start, period_end],
      line_items.map(({ type, amount }: Json) => `${type} ${amount}`).join(', '),
      total,
    ]);
  const stateOf = async ({ id }: Json) => {
    const { status, subscription_id, amount } = await read(`/v1/invoice-items/${id}`);
    return [status, subscription_id, amount];
  };

  describe('that never bills', () => {
    const LAST = [[at('01-20'), at('02-24'), 'item 99.00', '99.00']];

    it('setup 99.00, trial canceled on 20 January: 99.00 on 24 February', async () => {
      const { id, subscription_id } = await aLife({ trial_end_date: at('02-01') });
      await added(id, '99');
      await advance(id, at('01-20'));
      await cancel(subscription_id, 'now');
      assert.deepEqual(await advance(id, at('02-23')), []);
      const { body } = await upcoming(subscription_id);
      assert.deepEqual(billsOf([body]), LAST);
      assert.deepEqual(billsOf(await advance(id, at('02-24'))), LAST);
      assert.equal(await isFinished(subscription_id), true);
      await assertTakesNone(id, '1');
      await assertNoneFollows(subscription_id);
      assert.deepEqual(await advance(id, at('06-01')), []);
    });

    it('a trial that is to end takes items until then, and in the days that follow with them', async () => {
      const { id, subscription_id } = await aLife({ trial_end_date: at('01-20') });
      await cancel(subscription_id, 'period_end');
      await assertNoneFollows(subscription_id);
      await added(id, '90');
      assert.deepEqual(billsOf([(await upcoming(subscription_id)).body]), [
        [at('01-20'), at('02-24'), 'item 90.00', '90.00'],
      ]);
      await advance(id, at('02-01'));
      await added(id, '9');
      assert.deepEqual(billsOf(await advance(id, at('02-24'))), [
        [at('01-20'), at('02-24'), 'item 90.00, item 9.00', '99.00'],
      ]);
    });

    it('a trial that ends without items takes none after it', async () => {
      const { id, subscription_id } = await aLife({ trial_end_date: at('01-20') });
      await cancel(subscription_id, 'period_end');
      const item = await added(id, '99');
      assert.equal((await remove(item.id)).status, 200);
      await advance(id, at('01-20'));
      await untilFinished(subscription_id);
      await assertTakesNone(id, '1');
      assert.deepEqual(await advance(id, at('06-01')), []);
    });

    it('a cancellation before the start bills the items 35 days later, and shows the first period', async () => {
      const { id, subscription_id } = await aLife({ start_date: at('02-01') });
      await added(id, '99');
      await advance(id, at('01-20'));
      const { status, current_period_start, current_period_end } = await cancel(subscription_id, 'now');
      assert.deepEqual(
        [status, current_period_start, current_period_end],
        ['canceled', at('02-01'), at('03-01')],
      );
      assert.equal(await isFinished(subscription_id), false);
      assert.deepEqual(billsOf(await advance(id, at('06-01'))), LAST);
    });

    it('one that is to end at its start takes items until then', async () => {
      const { id, subscription_id } = await aLife({ start_date: at('01-20'), trial_end_date: at('02-01') });
      await cancel(subscription_id, 'period_end');
      await advance(id, at('01-10'));
      await assertNoneFollows(subscription_id);
      await added(id, '99');
      const pending = await read(`/v1/subscriptions/${subscription_id}`);
      assert.deepEqual(
        [pending.status, pending.current_period_start, pending.current_period_end],
        ['pending', at('01-20'), at('02-01')],
      );
      assert.deepEqual(billsOf(await advance(id, at('06-01'))), LAST);
      const { data } = await read(`/v1/subscriptions?customer_id=${id}`);
      assert.deepEqual(
        data.map(({ status, canceled_at }: Json) => [status, canceled_at]),
        [['canceled', at('01-20')]],
      );
    });

    it('one that is to end at its start is finished then, and at once if it is canceled before, without items', async () => {
      const { id, subscription_id } = await aLife({ start_date: at('01-20') });
      await cancel(subscription_id, 'period_end');
      await advance(id, at('01-10'));
      const other = await subscribe(id, await plan([fee('other')]), { start_date: at('02-01') });
      await cancel(other.id, 'period_end');
      await advance(id, at('01-15'));
      await cancel(other.id, 'now');
      assert.deepEqual([await isFinished(other.id), await isFinished(subscription_id)], [true, false]);
      await advance(id, at('01-20'));
      await untilFinished(subscription_id);
      await assertTakesNone(id, '1');
    });

    it('the last invoice is not made without lines; a void one is made again by generate, also without lines', async () => {
      const { id, subscription_id } = await aLife({ trial_end_date: at('02-01') });
      const [kept, gone] = [await added(id, '99'), await added(id, '-200')];
      await advance(id, at('01-20'));
      await cancel(subscription_id, 'now');
      await advance(id, at('01-21'));
      assert.equal((await remove(kept.id)).status, 200);
      await assertNoneFollows(subscription_id);
      const setup = await added(id, '99');
      const [last] = await advance(id, at('02-24'));
      assert.equal(last.total, '0.00');
      await done(`/v1/invoices/${last.id}/void`);
      assert.equal((await remove(setup.id)).status, 200);
      assert.equal((await remove(gone.id)).status, 200);
      const { data } = await done('/v1/invoices/generate', { subscription_id });
      assert.deepEqual(billsOf(data), [[at('01-20'), at('02-24'), '', '0.00']]);
    });

    it('nothing is made where all items are deleted meanwhile', async () => {
      const { id, subscription_id } = await aLife({ trial_end_date: at('02-01') });
      const item = await added(id, '99');
      await advance(id, at('01-20'));
      await cancel(subscription_id, 'now');
      await advance(id, at('01-21'));
      assert.equal((await remove(item.id)).status, 200);
      assert.deepEqual(await advance(id, at('06-01')), []);
      assert.equal(await isFinished(subscription_id), true);
    });
  });

  describe('that is finished', () => {
    /** A customer whose subscription has ended on 20 January, with a discount of 80.00 since. */
    async function aDiscount(): Promise<{ id: string; subscription_id: string; item: Json }> {
      const { id, subscription_id } = await aLife();
      await advance(id, at('01-20'));
      await cancel(subscription_id, 'now');
      // Until January is billed, which takes an item as far as it fits.
      await advance(id, at('01-21'));
      return { id, subscription_id, item: await added(id, '-80', { subscription_id }) };
    }
    const itemsOf = async (id: string): Promise<Json[]> =>
      (await read(`/v1/invoice-items?customer_id=${id}`)).data;

    it('move to the running one whose invoice comes next, at once on its draft, but to none in its 35 days', async () => {
      const { id, item } = await aDiscount();
      const [later, next, ended] = [
        await subscribe(id, await plan([fee('year')], { interval: 'year' })),
        await subscribe(id, await plan([fee('month')])),
        await subscribe(id, await plan([fee('ended')]), { start_date: at('01-21') }),
      ];
      await advance(id, at('02-10'));
      await cancel(ended.id, 'now');
      await advance(id, at('02-21'), { hold_drafts: true });
      const draft = (await read(`/v1/invoices?subscription_id=${next.id}&status=draft`)).data[0];
      assert.equal(draft.total, '50.00');
      await advance(id, at('02-24'), { hold_drafts: true });
      assert.deepEqual(await stateOf(item), ['pending', next.id, '-80.00']);
      const shown = await read(`/v1/invoices/${draft.id}`);
      assert.deepEqual([shown.total, shown.line_items[1].amount], ['0.00', '-50.00']);
      await done(`/v1/invoices/${draft.id}/finalize`);
      const left = (await itemsOf(id)).map(({ subscription_id, amount }) => [subscription_id, amount]);
      assert.deepEqual(left, [
        [next.id, '-30.00'],
        [next.id, '-50.00'],
      ]);
      assert.notEqual(later.id, next.id);
    });

    it('stay pending where there is no other; a void one returns its items to it, and generate bills them', async () => {
      const { id, subscription_id, item } = await aDiscount();
      await added(id, '10', { subscription_id });
      const [last] = (await advance(id, at('02-24'))) as [Json];
      assert.deepEqual([last.period_start, last.total], [at('01-20'), '0.00']);
      assert.deepEqual(await stateOf(item), ['invoiced', subscription_id, '-10.00']);
      const [rest] = await itemsOf(id);
      assert.deepEqual(await stateOf(rest!), ['pending', subscription_id, '-70.00']);
      await subscribe(id, await plan([fee('new')]));
      await done(`/v1/invoices/${last.id}/void`);
      const pending = (await itemsOf(id)).map(({ status, subscription_id: of }) => [status, of]);
      assert.deepEqual(pending, Array(3).fill(['pending', subscription_id]));
      const { data } = await done('/v1/invoices/generate', { subscription_id });
      assert.deepEqual(
        data.map(({ line_items, total }: Json) => [line_items.length, total]),
        [[2, '0.00']],
      );
    });

    it('move although 200 items wait there', async () => {
      const { id, item } = await aDiscount();
      const next = await subscribe(id, await plan([fee('month')], { interval: 'year' }));
      for (let made = 0; made < 200; made++) await added(id, '1', { subscription_id: next.id });
      await assertTakesNone(id, '1', { subscription_id: next.id });
      await advance(id, at('02-24'));
      assert.deepEqual(await stateOf(item), ['pending', next.id, '-80.00']);
    });
  });
});
