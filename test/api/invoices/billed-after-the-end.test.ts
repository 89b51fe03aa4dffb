import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { billedEndsOn } from '../../support/ledger/billed-ends.ts';
import { CALLS, fee } from '../../support/ledger/fee-lives.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn, times } from '../../support/ledger/test-customer.ts';

/** billing.md 1, *An end in a period that is billed*: what was billed in every other way. */
describe('what was billed after an end in a billed period', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, grant, plan, read, subscribe, use } = customers;
  const {
    aLife,
    amounts,
    calls,
    change,
    end,
    figure,
    generate,
    invoicesOf,
    lastOf,
    notesOf,
    pay,
    shown,
    untilLast,
  } = billedEndsOn(customers);

  it('in a part of a cut period credits it and the parts after it', async () => {
    const id = await customer({}, at('04-01'));
    const arrears = { event_name: 'support', pricing_model: 'flat', flat_amount: '30.00' };
    const { id: subscription_id } = await subscribe(id, await plan([arrears, CALLS]));
    const cut = async (): Promise<Json> => (await generate(subscription_id, { close_now: true })).data.at(-1);
    await calls(id, '04-03', 1);
    await calls(id, '04-08', 2);
    await advance(id, at('04-11'));
    const first = await cut();
    await calls(id, '04-15', 4);
    await advance(id, at('04-21'));
    const second = await cut();
    await advance(id, at('04-25'));
    assert.deepEqual(
      [shown(first), shown(second)],
      [
        ['flat 1 10.00', 'usage 3 3.00'],
        ['flat 1 10.00', 'usage 4 4.00'],
      ],
    );
    await end(subscription_id, at('04-06'));
    const notes = await notesOf(id);
    assert.deepEqual(
      notes.map(({ subtotal, invoice_id }) => [subtotal, invoice_id]),
      [
        ['10.00', second.id],
        ['5.00', first.id],
      ],
    );
    await advance(id, at('05-12'));
    assert.deepEqual(shown(await lastOf(id)), ['late_usage -6 0.00']);
    assert.deepEqual(amounts(await notesOf(id)).slice(2), ['4.00', '2.00']);
    // Made again, the first part bills what ran.
    await done(`/v1/invoices/${first.id}/regenerate`);
    const standing = (await invoicesOf(id)).filter(({ status }) => status !== 'void');
    const net = standing.map(({ subtotal, credited }: Json) => Number(subtotal) - Number(credited));
    assert.equal(net.reduce((sum: number, one: number) => sum + one, 0).toFixed(2), '6.00');
  });

  it('names the period as it was billed in its first line of usage', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await plan([{ ...CALLS, group_by: ['region'] }]));
    await advance(id, at('05-05'));
    assert.deepEqual(shown(await lastOf(id)), []);
    await end(subscription_id, at('04-20'));
    await use(id, times(3, { event_name: 'call', timestamp: at('04-10') }));
    await advance(id, at('05-26'));
    const last = await lastOf(id);
    assert.deepEqual(shown(last), ['late_usage 3 3.00']);
    const [{ period_start, period_end }] = last.line_items;
    assert.deepEqual([period_start, period_end], [at('04-01'), at('05-01')]);
  });

  it('credits a part after a void one, which generate bills again up to the end', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await plan([CALLS]));
    await calls(id, '04-03', 1);
    await calls(id, '04-08', 2);
    await advance(id, at('04-11'));
    const [first] = (await generate(subscription_id, { close_now: true })).data;
    await calls(id, '04-15', 4);
    await advance(id, at('05-02'));
    await done(`/v1/invoices/${first.id}/void`);
    await end(subscription_id, at('04-06'));
    await advance(id, at('05-12'));
    assert.deepEqual(shown(await lastOf(id)), ['late_usage -4 0.00']);
    assert.deepEqual(amounts(await notesOf(id)), ['4.00']);
    const [again] = (await generate(subscription_id)).data;
    assert.deepEqual([again.period_end, shown(again)], [at('04-06'), ['usage 1 1.00']]);
  });

  it('returns credit of later usage; grants of the plan from then on are void', async () => {
    const granted = await customer({}, at('04-01'));
    const grants = [{ amount: 5, expires: 'period_end', carry_over_max: 3 }];
    const { id } = await subscribe(granted, await plan([CALLS], { grants }));
    const own = await grant(granted, 10, { rollover: true });
    await calls(granted, '04-10', 1);
    await calls(granted, '04-25', 2);
    // 2 of April's grant carry over, 5 are of May's, 2 of the other.
    await calls(granted, '05-02', 9);
    await advance(granted, at('06-02'));
    await end(id, at('04-20'));
    assert.deepEqual(shown(await untilLast(granted)), ['late_usage -2 0.00', 'late_usage -9 0.00']);
    const { data } = await read(`/v1/credit-grants?customer_id=${granted}`);
    assert.deepEqual(
      data.toReversed().map((one: Json) => [one.amount, one.remaining, one.status, one.expires_at]),
      [
        [10, 10, 'active', null],
        [5, 0, 'expired', at('04-20')],
        [5, 0, 'voided', at('06-01')],
        [5, 0, 'voided', at('07-01')],
      ],
    );
    assert.equal(own['id'].length > 0, true);
  });

  it('where fewer units cost more, the last invoice has the difference', async () => {
    const tiers = [
      { up_to: 10, unit_amount: '1' },
      { up_to: null, unit_amount: '0.1' },
    ];
    const id = await customer({}, at('04-01'));
    const volume = { event_name: 'call', pricing_model: 'volume', tiers };
    const { id: subscription_id } = await subscribe(id, await plan([volume]));
    await calls(id, '04-10', 10);
    await calls(id, '04-25', 1);
    await advance(id, at('05-05'));
    await end(subscription_id, at('04-20'));
    await advance(id, at('05-26'));
    assert.deepEqual(shown(await lastOf(id)), ['late_usage -1 8.90']);
  });

  it('takes the amount of a first tier, which is due without usage, off a period that is left out', async () => {
    const tiers = [{ up_to: null, unit_amount: '1', flat_amount: '5.00' }];
    const id = await customer({}, at('04-01'));
    const graduated = { event_name: 'call', pricing_model: 'graduated', tiers };
    const { id: subscription_id } = await subscribe(id, await plan([graduated]));
    await advance(id, at('06-05'));
    await end(subscription_id, at('04-20'));
    assert.deepEqual(shown(await untilLast(id)), ['late_usage 0 0.00']);
    assert.deepEqual(amounts(await notesOf(id)), ['5.00']);
  });

  it('counts the held draft of its period anew, and makes a later one void, whose item waits', async () => {
    const { id, subscription_id } = await aLife([fee('30.00'), CALLS]);
    await calls(id, '04-10', 3);
    await calls(id, '04-25', 4);
    await calls(id, '05-10', 5, { hold_drafts: true });
    await advance(id, at('06-02'), { hold_drafts: true });
    const [, april, may] = await invoicesOf(id);
    await done(`/v1/invoices/${april!.id}/finalize`);
    await done('/v1/invoice-items', {
      customer_id: id,
      subscription_id,
      description: 'Setup',
      unit_amount: '7.00',
    });
    assert.deepEqual(shown(await read(`/v1/invoices/${may!.id}`)), [
      'usage 5 5.00',
      'flat 1 30.00',
      'item 1 7.00',
    ]);
    await end(subscription_id, at('05-06'));
    const drafted = await read(`/v1/invoices/${may!.id}`);
    assert.deepEqual([drafted.period_end, shown(drafted)], [at('05-06'), ['usage 0 0.00', 'item 1 7.00']]);
    assert.deepEqual(amounts(await notesOf(id)), ['25.16']);
    await advance(id, at('06-20'));
    assert.deepEqual(shown(await read(`/v1/invoices/${may!.id}`)), ['usage 0 0.00', 'item 1 7.00']);

    const other = await aLife([fee('30.00'), CALLS]);
    await calls(other.id, '05-10', 5, { hold_drafts: true });
    await advance(other.id, at('06-02'), { hold_drafts: true });
    const drafts = await invoicesOf(other.id);
    await done(`/v1/invoices/${drafts[1]!.id}/finalize`);
    const item = { customer_id: other.id, description: 'Setup', unit_amount: '7.00' };
    await done('/v1/invoice-items', item);
    await end(other.subscription_id, at('04-20'));
    assert.equal((await read(`/v1/invoices/${drafts[2]!.id}`)).status, 'void');
    await advance(other.id, at('06-20'));
    assert.deepEqual(shown(await lastOf(other.id)), ['item 1 7.00']);
    assert.deepEqual(amounts(await notesOf(other.id)), ['11.00', '30.00']);
  });

  it('lets a void invoice of its period be made again up to the end, and one of a period left out never', async () => {
    const { id, subscription_id } = await aLife([fee('30.00'), CALLS]);
    await calls(id, '04-10', 3);
    await calls(id, '04-25', 4);
    await advance(id, at('06-05'));
    const [, april, may] = await invoicesOf(id);
    for (const invoice of [april!, may!]) await done(`/v1/invoices/${invoice.id}/void`);
    await end(subscription_id, at('04-20'));
    const { data: invoices } = await generate(subscription_id);
    assert.deepEqual(
      invoices.map((one: Json) => [one.kind, one.replaces, one.period_end, shown(one)]),
      [['period', april!.id, at('04-20'), ['usage 3 3.00']]],
    );
    assert.deepEqual(amounts(await notesOf(id)), ['11.00']);
  });

  it('drops a change of plan after it, and credits the fees and usage of the plan that came', async () => {
    const { id, subscription_id, opening } = await aLife([fee('30.00'), CALLS]);
    await pay(opening);
    await calls(id, '04-10', 1);
    await advance(id, at('04-16'));
    await change(subscription_id, { plan_id: await plan([fee('60.00'), CALLS]), at: 'now' });
    await calls(id, '04-20', 2);
    await advance(id, at('06-05'));
    assert.deepEqual(amounts(await notesOf(id)), ['15.00']);
    const ended = await end(subscription_id, at('04-11'));
    assert.equal(ended.pending_change, null);
    // 20 of 30 days of 30.00, of which 15.00 are credited, 30.00 for 16 to 30 April, 60.00 for May, 60.00 for June.
    assert.deepEqual(amounts(await notesOf(id)).slice(1), ['5.00', '30.00', '60.00', '60.00']);
    assert.deepEqual(shown(await untilLast(id)), ['late_usage -2 0.00']);
    assert.equal(amounts(await notesOf(id)).at(-1), '2.00');
  });

  it('credits a fee that ran on over a change, or began whole with it, by the time that it was billed for', async () => {
    for (const [proration, notes] of [
      ['none', ['6.67', '50.00']],
      ['full', ['10.00', '33.33', '50.00']],
    ] as const) {
      const { id, subscription_id } = await aLife([fee('20.00')]);
      await advance(id, at('04-16'));
      await change(subscription_id, { plan_id: await plan([fee('50.00')]), at: 'now', proration });
      await advance(id, at('05-05'));
      await end(subscription_id, at('04-21'));
      assert.deepEqual(amounts(await notesOf(id)), notes, proration);
    }
  });

  it('leaves the events after it to another subscription', async () => {
    const { id, subscription_id } = await figure();
    await end(subscription_id, at('04-20'));
    const next = await subscribe(id, await plan([CALLS]), { start_date: at('04-20') });
    await advance(id, at('05-26'));
    const { data } = await read(`/v1/invoices?subscription_id=${next['id']}`);
    assert.deepEqual(data.map(shown), [['usage 4 4.00']]);
  });
});
