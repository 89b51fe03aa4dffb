import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { changesAfter } from '../support/ledger/feed.ts';
import { useStack } from '../support/servers/stack.ts';
import { CALLS_ON_T as T, discountsOf } from '../support/ledger/discounts.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';
import { TIERS } from '../support/ledger/tiers.ts';

/** T with another price in its first tier. */
const first = (unit_amount: string, charge = 0) => ({
  ...{ charge, tiers: [{ ...TIERS[0], unit_amount }, ...TIERS.slice(1)] },
});
const HUNDRED_UNITS = { grants: [{ amount: 100, expires: 'period_end' }] };

/** billing.md 12: the figures of custom plans. */
describe('custom plans on bills', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { done, plan, read, subscribe } = customers;
  const { change, invoicesOf, notesOf, untilOpened } = feeLivesOn(customers);
  const { aCustomer, billsOf, discount, go, units } = discountsOf(customers);

  const customPlan = async (
    based_on: string,
    customer_id: string,
    overrides: object[],
    parts: object = {},
  ): Promise<string> => (await done('/v1/pricing-plans', { based_on, customer_id, overrides, ...parts })).id;

  /** A subscription of a new customer to a custom plan of T. */
  async function aLife(unit_amount: string, { base = {}, own = {} }: { base?: object; own?: object } = {}) {
    const id = await aCustomer();
    const base_id = await plan([T], base);
    const plan_id = await customPlan(base_id, id, [first(unit_amount)], own);
    const { id: subscription_id } = await subscribe(id, plan_id);
    return { id, base_id, subscription_id: subscription_id as string };
  }

  it('0.08 in the first tier of T, 900: 72.00', async () => {
    const { id } = await aLife('0.08');
    await units(id, 900, '04-10');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 72.00 of null']);
  });

  it('from the 16th on at 0.07, 900 before and 300 after: 72.00 and 21.00; 300 late: 23.00', async () => {
    const { id, base_id, subscription_id } = await aLife('0.08');
    const plan_id = await customPlan(base_id, id, [first('0.07')]);
    await change(subscription_id, { plan_id, at: at('04-16') });
    await units(id, 900, '04-10');
    await units(id, 300, '04-20');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 72.00 of null', 'usage 21.00 of null']);
    await units(id, 300, '04-12');
    await go(id, '06-01');
    assert.deepEqual((await billsOf(id)).slice(2), ['usage 0.00 of null, late_usage 23.00 of null']);
  });

  it('a grant of the base of 100 units, 900: 64.00; without grants: 72.00', async () => {
    for (const [own, line] of [
      [{}, 'usage 64.00 of null'],
      [{ grants: [] }, 'usage 72.00 of null'],
    ] as const) {
      const { id } = await aLife('0.08', { base: HUNDRED_UNITS, own });
      await units(id, 900, '04-10');
      await go(id, '05-01');
      assert.deepEqual(await billsOf(id), [line]);
    }
  });

  it('a discount of 10 percent, 900: 64.80', async () => {
    const { id } = await aLife('0.08');
    await discount(id);
    await units(id, 900, '04-10');
    await go(id, '05-01');
    assert.deepEqual(await billsOf(id), ['usage 64.80 of 72.00']);
  });

  it('a fee is in advance for one customer, and unused time of it is credited', async () => {
    const id = await aCustomer();
    const base_id = await plan([{ ...fee('199'), billed: 'in_arrears' }]);
    const plan_id = await customPlan(base_id, id, [{ charge: 0, flat_amount: '99', billed: 'in_advance' }]);
    const { id: subscription_id } = await subscribe(id, plan_id);
    const [opening] = await untilOpened(id);
    assert.deepEqual([opening!.kind, opening!.subtotal], ['opening', '99.00']);
    await go(id, '04-16');
    await change(subscription_id, { plan_id: base_id, at: 'now' });
    await go(id, '05-01');
    assert.deepEqual(
      (await notesOf(id)).map(({ subtotal }: Json) => subtotal),
      ['49.50'],
    );
    assert.equal((await invoicesOf(id)).at(-1)!.subtotal, '99.50');
  });

  it('is the price of a regeneration, whatever the plan is by then', async () => {
    const { id, base_id, subscription_id } = await aLife('0.08');
    await units(id, 900, '04-10');
    await go(id, '05-01');
    await change(subscription_id, { plan_id: base_id, at: 'now' });
    const [invoice] = await invoicesOf(id);
    await done(`/v1/invoices/${invoice!.id}/regenerate`, {});
    assert.deepEqual(await billsOf(id), ['usage 72.00 of null']);
  });

  it('is in the feed of its customer, whose erasure takes the object away', async () => {
    const id = await aCustomer();
    const base_id = await plan([T]);
    const plan_id = await customPlan(base_id, id, [], { name: 'For Ada' });
    const changeOf = (of: string) =>
      eventually(
        async () => (await changesAfter(read, 0)).find(({ object_id }) => object_id === of),
        (change) => change !== undefined,
      );
    const { type, customer_id, data } = (await changeOf(plan_id))!;
    assert.deepEqual([type, customer_id, data.name], ['pricing_plan.created', id, 'For Ada']);
    assert.equal((await changeOf(base_id))!.customer_id, null);
    await done(`/v1/customers/${id}/redact`);
    assert.equal((await changeOf(plan_id))!.data, null);
    assert.notEqual((await changeOf(base_id))!.data, null);
  });

  it('counts with its base where revenue is counted by plan', async () => {
    const id = await aCustomer();
    const base_id = await plan([T], { key: 'counted' });
    const without_key = await plan([{ ...T, event_name: 'other' }]);
    await subscribe(id, await customPlan(base_id, id, [first('0.08')]));
    await subscribe(id, await customPlan(without_key, id, [first('0.07')]));
    const other = await aCustomer();
    await subscribe(other, base_id);
    for (const [customer_id, event_name] of [
      [id, 'call'],
      [id, 'other'],
      [other, 'call'],
    ] as const)
      await units(customer_id, 100, '04-10', event_name);
    await go(id, '05-01');
    await go(other, '05-01');
    const { data } = await read(
      `/v1/revenue?group_by=plan&by=month&from=${at('05-01').slice(0, 10)}&to=${at('06-01').slice(0, 10)}`,
    );
    const totals = new Map(data.map(({ group, total }: Json) => [group.id, total]));
    assert.deepEqual([totals.get('counted'), totals.get(without_key)], ['18.00', '7.00']);
  });

  it('its flat charges are the recurring revenue of its customer', async () => {
    const id = await aCustomer();
    const base_id = await plan([fee('49')]);
    await subscribe(id, await customPlan(base_id, id, [{ charge: 0, flat_amount: '39' }]));
    await go(id, '04-30');
    const months = await read(
      `/v1/recurring-revenue?customer_id=${id}&from=${at('04-01').slice(0, 10)}&to=${at('05-01').slice(0, 10)}`,
    );
    assert.equal(months.data[0].recurring, '39.00');
  });
});
