import assert from 'node:assert/strict';
import { useStack } from '../support/servers/stack.ts';
import { CALLS_ON_T as T, discountsOf, UNITS } from '../support/ledger/discounts.ts';
import { eventually } from '../support/servers/eventually.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** billing.md 11: the issue decides percents; drafts and previews show them. */
describe('percents', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done, plan, read } = customers;
  const { change, invoicesOf, untilOpened } = feeLivesOn(customers);
  const { aLife, billsOf, discount, go, linesOf, units } = discountsOf(customers);

  describe('of an invoice that is made again', () => {
    /** T, 900 in April, billed at 81.00 with a discount from 1 April on that has ended there since. */
    async function endedSince() {
      const { id, subscription_id } = await aLife([T]);
      const { id: discount_id } = await discount(id);
      await units(id, 900, '04-10');
      await go(id, '05-01');
      const [invoice] = await invoicesOf(id);
      return { id, subscription_id, discount_id, invoice: invoice! };
    }

    it('are decided anew where all lines are void: 90.00', async () => {
      const { id, subscription_id, discount_id, invoice } = await endedSince();
      await done(`/v1/discounts/${discount_id}/end`, { until: at('04-01') });
      await done(`/v1/invoices/${invoice.id}/void`);
      await done('/v1/invoices/generate', { subscription_id });
      assert.deepEqual(await billsOf(id), ['usage 90.00 of null']);
    });

    it('are those of a late line that stands: 81.00', async () => {
      const { id, discount_id, invoice } = await endedSince();
      await units(id, 300, '04-20');
      await go(id, '06-01');
      await done(`/v1/discounts/${discount_id}/end`, { until: at('04-01') });
      const again = await done(`/v1/invoices/${invoice.id}/regenerate`);
      assert.equal(linesOf(again), 'usage 81.00 of 90.00');
    });

    it('are those of a discount that was forgotten; the preview says so too', async () => {
      const { id } = await aLife([T]);
      await units(id, 900, '04-10');
      await go(id, '05-01');
      const [invoice] = await invoicesOf(id);
      await discount(id, { from: at('04-30') });
      const path = `/v1/invoices/${invoice!.id}/regenerate`;
      const preview = await done(path, { dry_run: true });
      assert.equal(linesOf(preview.proposed), 'usage 81.00 of 90.00');
      assert.deepEqual(preview.comparison.lines[0].causes, [{ cause: 'price', amount: '-9.00' }]);
      assert.equal(linesOf(await done(path)), 'usage 81.00 of 90.00');
    });
  });

  it('are on drafts that are held, at once, and go again with their discount', async () => {
    const { id } = await aLife([T]);
    await units(id, 900, '04-10');
    await go(id, '05-01', { hold_drafts: true });
    const { id: discount_id } = await discount(id, { from: at('04-01') });
    assert.deepEqual(await billsOf(id), ['usage 81.00 of 90.00']);
    await done(`/v1/discounts/${discount_id}/end`, { until: at('04-01') });
    assert.deepEqual(await billsOf(id), ['usage 90.00 of null']);
    await discount(id, { from: at('04-01'), name: 'For Ada' });
    await done(`/v1/customers/${id}/redact`);
    const [draft] = await invoicesOf(id);
    assert.equal(draft!.line_items[0].discounts[0].name, 'Discount');
    const issued = await done(`/v1/invoices/${draft!.id}/finalize`);
    assert.deepEqual(
      [linesOf(issued), issued.line_items[0].discounts[0].name],
      ['usage 81.00 of 90.00', 'Discount'],
    );
  });

  it('are in previews of a change, of a plan migration and of an end', async () => {
    const { id, subscription_id } = await aLife([UNITS, fee('100.00')], {});
    await untilOpened(id);
    await discount(id, { until: at('05-01') });
    await units(id, 50, '04-10');
    await go(id, '04-16');
    const to = await plan([{ ...UNITS, unit_amount: '2' }, fee('200.00')]);
    const preview = await change(subscription_id, { plan_id: to, at: 'now', dry_run: true });
    assert.equal(linesOf(preview.closing), 'usage 45.00 of 50.00, flat 90.00 of 100.00');
    const { plan_id } = await read(`/v1/subscriptions/${subscription_id}`);
    const migration = { from_plan_id: plan_id, to_plan_id: to, at: 'period_end', dry_run: true };
    const { current, proposed } = await done('/v1/plan-migrations', migration);
    assert.deepEqual([current, proposed], ['135.00', '270.00']);
    const end = await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now', dry_run: true });
    assert.equal(linesOf(end.closing), 'usage 45.00 of 50.00');
  });

  it('are told by the feed', async () => {
    const { id } = await aLife([UNITS]);
    const { id: discount_id } = await discount(id);
    await done(`/v1/discounts/${discount_id}/end`);
    const { data } = await eventually(
      () => read(`/v1/changes?object_id=${discount_id}`),
      (page) => page.data.length === 2,
    );
    assert.deepEqual(
      data.map(({ type }: { type: string }) => type),
      ['discount.created', 'discount.updated'],
    );
    assert.deepEqual(data[1].data, await read(`/v1/discounts/${discount_id}`));
  });
});
