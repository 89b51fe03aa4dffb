import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const units = (event_name: string, unit_amount: string) => ({
  ...{ event_name, pricing_model: 'per_unit', unit_amount },
  aggregation: { type: 'sum', property: 'n' },
});

/** billing.md 5, "Oldest usage draws first". */
describe('credit of late usage', () => {
  const stack = useStack();
  const { advance, customer, done, grant, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));

  const useUnits = (id: string, event_name: string, n: number, date: string) =>
    use(id, [{ event_name, properties: { n }, timestamp: at(date) }]);
  const linesOf = ({ line_items }: Json): string =>
    line_items
      .map(({ type, quantity, credits_applied, amount }: Json) =>
        [type, quantity, credits_applied, amount].join(' '),
      )
      .join(', ');
  const remainingOf = async (id: string): Promise<number[]> =>
    (await read(`/v1/credit-grants?customer_id=${id}`)).data
      .toReversed()
      .map(({ remaining }: Json) => remaining);

  it('is drawn before that of the period that follows: 30 of 100, 20 more late, and 150 of a new 100: 0.00', async () => {
    const id = await customer();
    const grants = [{ amount: 100, expires: 'period_end', carry_over_max: 100 }];
    const { id: subscription_id } = await subscribe(id, await plan([units('call', '1')], { grants }));
    await advance(id, at('01-20'));
    await useUnits(id, 'call', 30, '01-10');
    await advance(id, at('02-20'));
    await useUnits(id, 'call', 20, '01-11');
    await useUnits(id, 'call', 150, '02-10');
    const expected = 'usage 150 150 0.00, late_usage 20 20 0.00';
    const upcoming = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    const [draft] = await advance(id, at('03-01'), { hold_drafts: true });
    const issued = await done(`/v1/invoices/${draft!['id']}/finalize`);
    const again = await done(`/v1/invoices/${issued['id']}/regenerate`);
    assert.deepEqual([upcoming, draft!, issued, again].map(linesOf), [
      expected,
      expected,
      expected,
      expected,
    ]);
    assert.deepEqual((await remainingOf(id)).slice(0, 2), [0, 0]);
  });

  it('is drawn first also where that costs more: 20 late at 0.10 take the grant, 20 at 1.00 do not', async () => {
    const id = await customer();
    await grant(id, 20, { rollover: true });
    await subscribe(id, await plan([units('cheap', '0.10'), units('dear', '1')]));
    await advance(id, at('02-20'));
    await useUnits(id, 'cheap', 20, '01-10');
    await useUnits(id, 'dear', 20, '02-10');
    const [february] = await advance(id, at('03-01'));
    assert.equal(linesOf(february!), 'usage 0 0 0.00, usage 20 0 20.00, late_usage 20 20 0.00');
  });

  it('of a later period is drawn after the older one that is billed again', async () => {
    const id = await customer();
    await grant(id, 10, { rollover: true });
    await subscribe(id, await plan([units('call', '1')]));
    await advance(id, at('01-20'));
    await useUnits(id, 'call', 8, '01-10');
    const [january] = await advance(id, at('02-20'));
    await useUnits(id, 'call', 1, '02-10');
    await advance(id, at('03-02'));
    await useUnits(id, 'call', 1, '02-11');
    await useUnits(id, 'call', 1, '01-11');
    const again = await done(`/v1/invoices/${january!['id']}/regenerate`);
    assert.equal(linesOf(again), 'usage 9 9 0.00, late_usage 1 0 1.00');
  });

  it('that returns credit draws after the invoice where it fits only then: grant 5, 8, -4 late, 3: 0.00, and 1 left', async () => {
    const id = await customer();
    await grant(id, 5, { rollover: true });
    await subscribe(id, await plan([units('call', '1')]));
    await advance(id, at('02-20'));
    await useUnits(id, 'call', 8, '02-10');
    await advance(id, at('03-20'));
    await useUnits(id, 'call', -4, '02-11');
    await useUnits(id, 'call', 3, '03-10');
    const [march] = await advance(id, at('04-01'));
    assert.equal(linesOf(march!), 'usage 3 0 3.00, late_usage -4 -1 -3.00');
    assert.deepEqual(await remainingOf(id), [1]);
  });
});
