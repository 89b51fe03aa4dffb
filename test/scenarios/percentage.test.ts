import assert from 'node:assert/strict';
import { at, testCustomersOn, requestsTo } from '../support/ledger/test-customer.ts';
import { useStack } from '../support/servers/stack.ts';

/** A percentage charge through a customer's life (billing.md 3 and 5). */
describe('a percentage', function () {
  const lives = testCustomersOn(requestsTo(useStack()));
  const { advance, customer, done, get, grant, plan, post, read, subscribe } = lives;
  const aggregation = { type: 'sum', property: 'paid' };
  const CHARGE = { event_name: 'payment', pricing_model: 'percentage', rate: '2.5', aggregation };

  const paid = (customer_id: string, timestamp: string, sum: number) =>
    lives.use(customer_id, [{ event_name: 'payment', timestamp, properties: { paid: sum } }]);

  async function aLife(charge: object): Promise<{ id: string; subscription_id: string }> {
    const id = await customer();
    const subscription = await subscribe(id, await plan([{ ...CHARGE, ...charge }]));
    return { id, subscription_id: subscription.id };
  }

  it('of 4,321 is 108.03, credit covers none of it, and no usage costs nothing', async () => {
    const { id } = await aLife({ minimum_amount: '10.00' });
    await grant(id, 1000, { rollover: true });
    await paid(id, at('01-01'), 4321);
    const [january, february] = await advance(id, at('03-01'));
    const [line] = january.line_items;
    assert.deepEqual(
      [line.amount, line.quantity, line.billable_quantity, line.credits_applied, line.tiers],
      ['108.03', '4321', '4321', '0', null],
    );
    assert.equal(february.total, '0.00');
    const pdf = await get(`/v1/invoices/${january.id}`);
    assert.equal(pdf.body.line_items[0].pricing_model, 'percentage');
  });

  it('in two parts of a period with a minimum of 10.00: 100 is 10.00, then 900 more are 15.00', async () => {
    const { id, subscription_id } = await aLife({ minimum_amount: '10.00' });
    await paid(id, at('01-01'), 100);
    await advance(id, at('01-10'));
    const cut = await done('/v1/invoices/generate', { subscription_id, close_now: true });
    assert.deepEqual(
      cut.data.map((invoice: { total: string }) => invoice.total),
      ['10.00'],
    );
    await paid(id, at('01-10'), 900);
    const [second] = await advance(id, at('02-01'));
    assert.equal(second.total, '15.00');
  });

  it('of late usage is the difference of the period, and a regenerated invoice bills all usage', async () => {
    const { id } = await aLife({ minimum_amount: '10.00', maximum_amount: '30.00' });
    await paid(id, at('01-01'), 100);
    const [january] = await advance(id, at('02-01'));
    assert.equal(january.total, '10.00');
    await advance(id, at('02-05'));
    await paid(id, at('01-20'), 900);
    const [february] = await advance(id, at('03-01'));
    assert.deepEqual(
      february.line_items.map(({ type, amount }: { type: string; amount: string }) => [type, amount]),
      [
        ['usage', '0.00'],
        ['late_usage', '15.00'],
      ],
    );
    await done(`/v1/invoices/${february.id}/void`);
    await paid(id, at('01-21'), 1000);
    const replaced = await done(`/v1/invoices/${january.id}/regenerate`);
    assert.equal((await read(`/v1/invoices/${replaced.id}`)).total, '30.00');
  });

  it('is refused on another aggregation, above 100, and with a maximum below the minimum', async () => {
    const faults: [charge: object, param: string, reason: string][] = [
      [{ aggregation: { type: 'count' } }, 'charges[0].aggregation.type', 'not_allowed'],
      [{ aggregation: undefined }, 'charges[0].aggregation.type', 'not_allowed'],
      [{ aggregation: { type: 'max', property: 'paid' } }, 'charges[0].aggregation.type', 'not_allowed'],
      [{ rate: '100.01' }, 'charges[0].rate', 'out_of_range'],
      [{ rate: undefined }, 'charges[0].rate', 'missing'],
      [{ minimum_amount: '5', maximum_amount: '4' }, 'charges[0].maximum_amount', 'out_of_range'],
      [{ flat_amount: '5' }, 'charges[0].flat_amount', 'not_allowed'],
    ];
    for (const [charge, param, reason] of faults) {
      const charges = [{ ...CHARGE, ...charge }];
      const { status, body } = await post('/v1/pricing-plans', { name: 'Plan', charges });
      const [detail] = body.error.details;
      assert.deepEqual([status, detail.param, detail.reason], [400, param, reason]);
    }
  });
});
