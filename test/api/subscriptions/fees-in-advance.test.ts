import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { CALLS, fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

/** A charge with a list of prices, as no fee has one. */
const PRICED = {
  ...{ event_name: 'call', pricing_model: 'per_unit' },
  prices: [{ default: true, unit_amount: '1' }],
};

/** billing.md 10. */
describe('fees in advance', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { advance, customer, done, get, plan, post, read, subscribe, use } = customers;
  const { aLife, balanceOf, change, invoicesOf, linesOf, notesOf, pay } = feeLivesOn(customers);

  it('are billed by an opening invoice at the start, and then with the invoice of the period before', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00'), PRICED]);
    assert.deepEqual(
      [opening.kind, opening.status, opening.total, opening.period_start, opening.period_end],
      ['opening', 'open', '199.00', at('04-01'), at('05-01')],
    );
    await advance(id, at('04-06'));
    await use(id, times(2, { event_name: 'call', timestamp: at('04-05') }));
    const pending = await read(`/v1/events?customer_id=${id}&billing_status=pending`);
    assert.equal(pending.data.length, 2);
    const [april] = await advance(id, at('05-01'));
    assert.deepEqual([april!.kind, linesOf(april!)], ['period', 'usage 2.00 04-01, flat 199.00 05-01']);
    const periods = (await read(`/v1/subscriptions/${subscription_id}/periods`)).data;
    assert.deepEqual(
      periods.map((one: Json) => [one.invoice_id, one.opening_invoice_id]),
      [
        [null, null],
        [april!.id, opening.id],
      ],
    );
  });

  it('follow a trial by an opening invoice, which upcoming-invoice shows before', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await plan([fee('199.00')]), {
      trial_end_date: at('04-15'),
    });
    const upcoming = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    assert.deepEqual([upcoming.kind, linesOf(upcoming)], ['opening', 'flat 199.00 04-15']);
    const [opening] = await advance(id, at('04-20'));
    assert.deepEqual([opening!.kind, opening!.issued_at, opening!.total], ['opening', at('04-15'), '199.00']);
    const next = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    assert.deepEqual([next.kind, linesOf(next)], ['period', 'flat 199.00 05-15']);
  });

  it('199.00 for June, canceled on the 16th: a note of 99.50, at 20 percent 119.40', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00')], '06-01', { tax_rate: '20' });
    assert.equal(opening.amount_due, '238.80');
    await advance(id, at('06-16'));
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await advance(id, at('06-17'));
    const [note] = await notesOf(id);
    assert.match(note!.reason, /^Unused time from 16 to 30 June \d+$/);
    assert.deepEqual([note!.subtotal, note!.total, note!.automatic], ['99.50', '119.40', true]);
    assert.equal((await read(`/v1/invoices/${opening.id}`)).amount_due, '119.40');
  });

  it('changed to 49.00 on the 16th: a note of 99.50, and 24.50 on the closing invoice beside usage of 200.00', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00'), CALLS]);
    await pay(opening);
    await advance(id, at('04-16'));
    await use(id, times(200, { event_name: 'call', timestamp: at('04-10') }));
    const to = await plan([fee('49.00'), CALLS]);
    const preview = await change(subscription_id, { plan_id: to, at: 'now', dry_run: true });
    assert.deepEqual(
      [preview.closing.total, preview.opening, preview.credit_notes.map(({ total }: Json) => total)],
      ['224.50', null, ['99.50']],
    );
    assert.equal(preview.due, '125.00');
    assert.deepEqual(await notesOf(id), []);
    await change(subscription_id, { plan_id: to, at: 'now' });
    await advance(id, at('04-17'));
    const closing = (await invoicesOf(id)).at(-1)!;
    assert.equal(linesOf(closing), 'usage 200.00 04-01, flat 24.50 04-16');
    assert.deepEqual(
      [closing.total, closing.balance_applied, closing.amount_due],
      ['224.50', '99.50', '125.00'],
    );
  });

  it('199.99, half of it used: 99.99 is credited; with `none` nothing is, with `outside` it is paid back', async () => {
    for (const [settle, expected] of [
      ['balance', ['99.99', '99.99', '0.00']],
      ['outside', ['99.99', '0.00', '99.99']],
      ['none', undefined],
    ] as const) {
      const { id, subscription_id, opening } = await aLife([fee('199.99')]);
      await pay(opening);
      await advance(id, at('04-16'));
      await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now', settle });
      await advance(id, at('04-17'));
      const [note] = await notesOf(id);
      assert.deepEqual(note && [note.total, note.to_balance, note.outside], expected);
    }
  });

  it('exchanged on 1 May, 199.00 to 49.00, paid: a note, an opening of 49.00, and 150.00 on the balance', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00')]);
    await pay(opening);
    const [april] = await advance(id, at('05-01'));
    await pay(april!);
    const to = await plan([fee('49.00')]);
    const preview = await change(subscription_id, { plan_id: to, at: 'now', dry_run: true });
    assert.deepEqual(
      [preview.closing, preview.opening.total, preview.credit_notes.length],
      [null, '49.00', 1],
    );
    assert.equal(preview.due, '-150.00');
    await change(subscription_id, { plan_id: to, at: 'now' });
    await advance(id, at('05-02'));
    const opened = (await invoicesOf(id)).at(-1)!;
    assert.deepEqual([opened.kind, opened.total, opened.status], ['opening', '49.00', 'paid']);
    assert.deepEqual([(await notesOf(id))[0]!.total, await balanceOf(id)], ['199.00', '150.00']);
    const third = await change(subscription_id, { plan_id: await plan([fee('60.00')]), at: at('05-01') });
    await advance(id, at('05-03'));
    assert.deepEqual(
      (await notesOf(id)).map(({ total }) => total),
      ['199.00', '49.00'],
    );
    const [may] = await advance(id, at('06-01'));
    assert.equal(linesOf(may!), 'flat 60.00 06-01, flat 60.00 05-01', third.id);
  });

  it('exchanged on 1 May and back at the same instant: a note, and an opening of the same fee', async () => {
    const { id, subscription_id } = await aLife([fee('199.00')]);
    const { plan_id } = await read(`/v1/subscriptions/${subscription_id}`);
    await advance(id, at('05-01'));
    await change(subscription_id, { plan_id: await plan([CALLS]), at: 'now' });
    await eventually(
      () => notesOf(id),
      (notes) => notes.length === 1,
    );
    const preview = await change(subscription_id, { plan_id, at: 'now', dry_run: true });
    assert.equal(linesOf(preview.opening), 'flat 199.00 05-01');
    await change(subscription_id, { plan_id, at: 'now' });
    await advance(id, at('05-02'));
    const opened = (await invoicesOf(id)).at(-1)!;
    assert.deepEqual([opened.kind, linesOf(opened)], ['opening', 'flat 199.00 05-01']);
    const [may] = await advance(id, at('06-01'));
    assert.equal(linesOf(may!), 'flat 199.00 06-01');
  });

  it('a home knows the end that is set: 96.29 of May, and 102.71 with the invoice of May once it is taken back', async () => {
    const { id, subscription_id } = await aLife([fee('199.00')]);
    await change(subscription_id, { plan_id: await plan([fee('49.00')]), at: at('05-16') });
    const [april] = await advance(id, at('05-02'));
    assert.equal(linesOf(april!), 'flat 96.29 05-01');
    assert.equal(
      (await request(`/v1/subscriptions/${subscription_id}/change`, { method: 'DELETE' })).status,
      200,
    );
    const [may] = await advance(id, at('06-01'));
    assert.equal(linesOf(may!), 'flat 199.00 06-01, flat 102.71 05-01');
    const again = await done(`/v1/invoices/${april!.id}/regenerate`);
    assert.equal(linesOf(again), 'flat 96.29 05-01');
  });

  it('a held home is issued with the time that the fee has by then', async () => {
    const { id, subscription_id } = await aLife([fee('300.00')]);
    await advance(id, at('05-11'), { hold_drafts: true });
    await change(subscription_id, { plan_id: await plan([CALLS]), at: 'now' });
    await advance(id, at('05-12'));
    const [, april] = await invoicesOf(id);
    const [line] = april!.line_items;
    assert.deepEqual([line.amount, line.period_start, line.period_end], ['96.77', at('05-01'), at('05-11')]);
    assert.match(line.description, /1 to 10 May/u);
  });

  it('a preview of a change in a later period bills what comes before it', async () => {
    const { subscription_id } = await aLife([fee('199.00'), CALLS]);
    const plan_id = await plan([fee('49.00')]);
    const later = { plan_id, at: at('05-16'), dry_run: true };
    const { closing, opening, upcoming, credit_notes } = await change(subscription_id, later);
    assert.deepEqual([closing, upcoming].map(linesOf), [
      'usage 0.00 05-01, flat 25.29 05-16',
      'flat 49.00 06-01',
    ]);
    assert.deepEqual([opening, credit_notes], [null, []]);
  });

  it('cuts change nothing: no part has the fee, and the last part has the next one', async () => {
    const { id, subscription_id } = await aLife([fee('199.00'), CALLS]);
    await advance(id, at('04-10'));
    const { data } = await done('/v1/invoices/generate', { subscription_id, close_now: true });
    assert.equal(data.map(linesOf).join(), 'usage 0.00 04-01');
    const [april] = await advance(id, at('05-01'));
    assert.equal(linesOf(april!), 'usage 0.00 04-10, flat 199.00 05-01');
    assert.deepEqual(await notesOf(id), []);
  });

  it('an opening that is void is made again by generate, and regenerate replaces it', async () => {
    const { id, subscription_id, opening } = await aLife([fee('199.00')]);
    await done(`/v1/invoices/${opening.id}/void`);
    await advance(id, at('04-02'));
    assert.equal((await invoicesOf(id)).length, 1);
    const { data } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(
      data.map((one: Json) => [one.kind, one.total, one.replaces]),
      [['opening', '199.00', opening.id]],
    );
    const preview = await done(`/v1/invoices/${data[0].id}/regenerate`, { dry_run: true });
    assert.deepEqual(preview.changes, []);
    const again = await done(`/v1/invoices/${data[0].id}/regenerate`);
    assert.deepEqual([again.kind, again.total, again.replaces], ['opening', '199.00', data[0].id]);
    await done(`/v1/invoices/${again.id}/void`);
    const [april] = await advance(id, at('05-01'));
    assert.equal(linesOf(april!), 'flat 199.00 05-01');
  });

  it('`billed` is for flat charges, which all show it', async () => {
    const refused = await post('/v1/pricing-plans', {
      name: 'Plan',
      charges: [{ ...CALLS, billed: 'in_advance' }],
    });
    assertRefused(refused, { code: 'invalid_request', param: 'charges[0].billed' });
    const id = await plan([{ event_name: 'platform', pricing_model: 'flat', flat_amount: '5' }]);
    const { body } = await get(`/v1/pricing-plans/${id}`);
    assert.equal(body.charges[0].billed, 'in_arrears');
  });
});
