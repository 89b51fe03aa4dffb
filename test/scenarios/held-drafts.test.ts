import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { useStack } from '../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

const SUM = { event_name: 'call', aggregation: { type: 'sum', property: 'n' } };

/** Credit on a late line of a held draft, beside a late line of the same period on another invoice (billing.md 5). */
describe('credit on a held draft', function () {
  const { advance, customer, done, grant, plan, read, subscribe, use } = testCustomersOn(
    requestsTo(useStack()),
  );

  const call = (id: string, n: number) =>
    use(id, [{ event_name: 'call', timestamp: at('02-05'), properties: { n } }]);
  const lateOf = ({ line_items }: Json) =>
    line_items
      .filter(({ type }: Json) => type === 'late_usage')
      .map(({ quantity, credits_applied, amount }: Json) => [quantity, credits_applied, amount]);

  /** February's usage is billed; `on_draft` is late on March's draft, which is held. Returns January's invoice and the draft. */
  async function aHeldDraft(charge: object, { amount, february, on_draft }: Record<string, number>) {
    const id = await customer();
    const credit = await grant(id, amount!, { rollover: true });
    await subscribe(id, await plan([{ ...SUM, ...charge }]));
    await advance(id, at('02-06'));
    await call(id, february!);
    await advance(id, at('03-15'));
    await call(id, on_draft!);
    await advance(id, at('04-01'), { hold_drafts: true });
    const [draft, , january] = (await read(`/v1/invoices?customer_id=${id}`)).data as [Json, Json, Json];
    return { id, credit, draft, january };
  }

  it('that is shown as drawn covers its own units: grant 11, 1 billed, 5 late on the draft, 5 more late', async () => {
    const charge = { pricing_model: 'per_unit', unit_amount: '1' };
    const { id, draft, january } = await aHeldDraft(charge, { amount: 11, february: 1, on_draft: 5 });
    assert.deepEqual(lateOf(draft), [['5', '5', '0.00']]);
    await call(id, 5);
    assert.deepEqual(lateOf(await done(`/v1/invoices/${january.id}/regenerate`)), [['5', '5', '0.00']]);
    assert.deepEqual(lateOf(await done(`/v1/invoices/${draft.id}/finalize`)), [['5', '5', '0.00']]);
  });

  it('that is shown as returned counts for nobody else: grant 1, 1 billed, -1 late on the draft, 0.5 late', async () => {
    const charge = { pricing_model: 'credit', overage_unit_amount: '1' };
    const { id, credit, draft, january } = await aHeldDraft(charge, { amount: 1, february: 1, on_draft: -1 });
    assert.deepEqual(lateOf(draft), [['-1', '-1', '0.00']]);
    await call(id, 0.5);
    assert.deepEqual(lateOf(await done(`/v1/invoices/${january.id}/regenerate`)), [['0.5', '-0.5', '0.00']]);
    assert.deepEqual(lateOf(await done(`/v1/invoices/${draft.id}/finalize`)), [['-1', '0', '0.00']]);
    assert.equal((await read(`/v1/credit-grants/${credit.id}`)).remaining, 0.5);
  });
});

/** billing.md 4: new credit covers at most the units that the other lines do not bill. */
describe('credit of a line that is billed again', function () {
  const { advance, customer, done, grant, plan, read, subscribe, use } = testCustomersOn(
    requestsTo(useStack()),
  );

  it('stays where the late units drew it: package of 1 at 5.00, 6 free, grant 3; January 5, 4 late, -3 late in February', async () => {
    const id = await customer();
    const { id: grant_id } = await grant(id, 3, { rollover: true });
    const charge = { ...SUM, pricing_model: 'package', package_size: '1', package_amount: '5' };
    await subscribe(id, await plan([{ ...charge, free_units: '6' }]));
    const calls = (day: string, n: number) =>
      use(id, [{ event_name: 'call', timestamp: at(day), properties: { n } }]);
    const linesOf = ({ line_items }: Json) =>
      line_items.map(({ type, quantity, credits_applied, amount }: Json) =>
        [type, quantity, credits_applied, amount].join(' '),
      );
    await advance(id, at('01-06'));
    await calls('01-05', 5);
    const [january] = (await advance(id, at('02-06'))) as [Json];
    assert.deepEqual(linesOf(january), ['usage 5 0 0.00']);
    await calls('01-05', 4);
    await calls('02-05', 9);
    const [february] = (await advance(id, at('03-01'))) as [Json];
    assert.deepEqual(linesOf(february), ['usage 9 0 15.00', 'late_usage 4 3 0.00']);
    await calls('02-05', -3);
    const again = await done(`/v1/invoices/${january.id}/regenerate`);
    assert.deepEqual(linesOf(again), ['usage 5 0 0.00', 'late_usage -3 0 0.00']);
    const { data: notes } = await read(`/v1/credit-notes?customer_id=${id}`);
    assert.deepEqual(
      notes.map((note: Json) => [note['invoice_id'], note['total']]),
      [[february.id, '15.00']],
    );
    assert.equal((await read(`/v1/credit-grants/${grant_id}`)).remaining, 0);
  });
});
