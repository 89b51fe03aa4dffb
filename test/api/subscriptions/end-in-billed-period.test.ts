import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { billedEndsOn } from '../../support/ledger/billed-ends.ts';
import { CALLS, fee } from '../../support/ledger/fee-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, later, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const DAY_MS = 86_400_000;
const SUPPORT = { event_name: 'support', pricing_model: 'flat' };

/** billing.md 1, *An end in a period that is billed*. Each file ends with a sound audit (useStack). */
describe('an end in a period that is billed', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, get, plan, post, read, subscribe } = customers;
  const {
    aLife,
    amounts,
    balanceOf,
    calls,
    end,
    figure,
    generate,
    invoicesOf,
    lastOf,
    notesOf,
    path,
    pay,
    shown,
    untilLast,
  } = billedEndsOn(customers);

  it('on 20 April, on 5 May: notes of 11.00 and 30.00 at once, and of 4.00 with the last invoice', async () => {
    const { id, subscription_id } = await figure();
    const preview = await end(subscription_id, at('04-20'), { dry_run: true });
    assert.deepEqual(amounts(preview.credit_notes), ['11.00', '30.00', '4.00']);
    assert.deepEqual(
      [preview.closing.kind, preview.closing.period_start, preview.closing.period_end, preview.closing.total],
      ['late', at('04-20'), at('05-25'), '0.00'],
    );
    assert.deepEqual(shown(preview.closing), ['late_usage -4 0.00']);
    assert.deepEqual(await notesOf(id), []);

    const ended = await end(subscription_id, at('04-20'));
    assert.deepEqual(
      [ended.status, ended.canceled_at, ended.current_period_start, ended.current_period_end],
      ['canceled', at('04-20'), at('04-01'), at('04-20')],
    );
    assert.deepEqual(amounts(await notesOf(id)), ['11.00', '30.00']);
    await advance(id, at('05-26'));
    const notes = await notesOf(id);
    assert.deepEqual(amounts(notes), ['11.00', '30.00', '4.00']);
    assert.deepEqual(
      notes.map(({ reason }) => reason.replace(/ \d{4}/, '')),
      ['Unused time from 20 to 30 April', 'Unused time from 1 to 31 May', 'Usage of April corrected'],
    );
    const last = await lastOf(id);
    assert.deepEqual([last.kind, last.total, last.period_start], ['late', '0.00', at('04-20')]);
    assert.match(
      last.line_items[0].description,
      /^Late usage: Call: -4 events, from 1 to 30 April \d+, priced together with 7 billed before$/,
    );
    const periods = (await read(`/v1/subscriptions/${subscription_id}/periods`)).data;
    assert.deepEqual(
      periods.map(({ kind, period_start, period_end }: Json) => [kind, period_start, period_end]),
      [
        ['late', at('04-20'), at('05-25')],
        ['billing', at('04-01'), at('04-20')],
      ],
    );
    const { data } = await read(`/v1/events?customer_id=${id}&billing_status=unrated`);
    assert.equal(data.length, 4);
  });

  it('at a boundary leaves out what follows: its last invoice begins where a billed period began', async () => {
    const { id, subscription_id } = await aLife([fee('30.00'), CALLS]);
    await calls(id, '04-10', 1);
    await calls(id, '05-10', 2);
    await advance(id, at('06-02'));
    const may = await lastOf(id);
    await end(subscription_id, at('05-01'));
    assert.deepEqual(amounts(await notesOf(id)), ['30.00', '30.00']);
    assertRefused(await post(`/v1/invoices/${may.id}/regenerate`, { dry_run: true }), {
      ...{ code: 'conflict', reason: 'invalid_state', param: null },
    });
    assertRefused(await post(`/v1/invoices/${may.id}/regenerate`), {
      ...{ code: 'conflict', reason: 'invalid_state', param: null },
    });
    assert.deepEqual((await generate(subscription_id)).data, []);
    await advance(id, at('06-06'));
    const last = await lastOf(id);
    assert.deepEqual(
      [last.kind, last.period_start, shown(last)],
      ['late', at('05-01'), ['late_usage -2 0.00']],
    );
    assert.match(
      last.line_items[0].description,
      /-2 events, from 1 to 31 May \d+, priced together with 2 billed/,
    );
    assert.deepEqual(
      (await notesOf(id)).map(({ subtotal, reason }) => `${subtotal} ${reason.replace(/ \d{4}/, '')}`),
      [
        '30.00 Unused time from 1 to 31 May',
        '30.00 Unused time from 1 to 30 June',
        '2.00 Usage of May corrected',
      ],
    );
    // The invoice of what is left out may be void, the notes with it, and the last one is made again without its line.
    await done(`/v1/invoices/${may.id}/void`);
    await done(`/v1/invoices/${last.id}/regenerate`);
    assert.deepEqual(shown(await lastOf(id)), []);
    assert.deepEqual((await generate(subscription_id)).data, []);
    assert.deepEqual(amounts((await notesOf(id)).filter(({ status }) => status === 'issued')), ['30.00']);
  });

  it('with three billed periods after it, taxed: all of them are credited, flat amounts in arrears too', async () => {
    const arrears = { ...SUPPORT, flat_amount: '12.00' };
    const { id, subscription_id } = await aLife([fee('30.00'), arrears, CALLS], '04-01', { tax_rate: '20' });
    for (const day of ['04-10', '04-25', '05-10', '06-10', '07-10']) await calls(id, day, 1);
    await advance(id, at('08-10'));
    const [, april] = await invoicesOf(id);
    await pay(april!);
    const preview = await end(subscription_id, at('04-20'), { dry_run: true });
    await end(subscription_id, at('04-20'));
    const at_once = ['4.40', '11.00', '12.00', '30.00', '12.00', '30.00', '12.00', '30.00', '30.00'];
    assert.deepEqual(amounts(await notesOf(id)).slice(0, 9), at_once);
    await untilLast(id);
    const notes = await notesOf(id);
    assert.deepEqual(amounts(notes), [...at_once, '1.00', '1.00', '1.00', '1.00']);
    assert.deepEqual(amounts(preview.credit_notes), amounts(notes));
    // 19 of 30 days of the fee are due, with 20 % tax. What April's invoice billed beyond was paid, and is in the balance: 1.2 x 35.40.
    const invoices = await invoicesOf(id);
    const left = invoices.map(({ total, credited }) => (Number(total) - Number(credited)).toFixed(2));
    assert.deepEqual(left, ['22.80', '52.80', '0.00', '0.00', '0.00', '0.00']);
    assert.equal(await balanceOf(id), '42.48');
    assert.deepEqual(
      invoices.map(({ amount_due }) => amount_due),
      ['22.80', '0.00', '0.00', '0.00', '0.00', '0.00'],
    );
  });

  it('keeps fees in advance by settle none, and pays them back outside; what is in arrears goes to the balance', async () => {
    const arrears = { ...SUPPORT, flat_amount: '12.00' };
    for (const [settle, outside, balance] of [
      ['none', '0.00', '5.40'],
      ['outside', '41.00', '5.40'],
      ['balance', '0.00', '46.40'],
    ] as const) {
      const { id, subscription_id, opening } = await aLife([fee('30.00'), arrears, CALLS]);
      await calls(id, '04-25', 1);
      await pay(opening);
      const [april] = await advance(id, at('05-05'));
      await pay(april!);
      await end(subscription_id, at('04-20'), { settle });
      await advance(id, at('05-26'));
      const notes = await notesOf(id);
      const paid_back = notes.reduce((sum, note) => sum + Number(note.outside), 0).toFixed(2);
      assert.deepEqual([paid_back, await balanceOf(id)], [outside, balance], settle);
      // By number: the oldest period first, of its invoices the one that was issued last first.
      const of_fees = settle === 'none' ? ['4.40'] : ['4.40', '11.00', '30.00'];
      assert.deepEqual(amounts(notes), [...of_fees, '1.00'], settle);
    }
  });

  it('is at most 366 days back, after the billing began, and of one that runs', async () => {
    const { id, subscription_id } = await aLife([CALLS, fee('1.00')], '04-01');
    await advance(id, later(at('04-02', 1), 0));
    const refused = async (when: string, reason: 'out_of_range' | 'invalid_state') =>
      assertRefused(await post(path(subscription_id), { at: when }), {
        ...{ code: reason === 'out_of_range' ? 'invalid_request' : 'conflict', reason, param: 'at' },
      });
    await refused(later(at('04-02', 1), -366 * DAY_MS - 1), 'out_of_range');
    await refused(at('04-01'), 'invalid_state');
    const earliest = later(at('04-02', 1), -366 * DAY_MS);
    await end(subscription_id, later(earliest, DAY_MS));
    for (const when of [later(earliest, DAY_MS), later(earliest, DAY_MS / 2), at('05-01')])
      await refused(when, 'invalid_state');
    assertRefused(await get(path(subscription_id), { method: 'DELETE' }), {
      ...{ code: 'conflict', reason: 'invalid_state', param: null },
    });
    const trial = await subscribe(await customer({}, at('04-01')), await plan([CALLS]), {
      trial_end_date: at('04-11'),
    });
    await advance(trial['customer_id'], at('06-01'));
    const in_trial = await post(path(trial['id']), { at: at('04-11') });
    assertRefused(in_trial, { code: 'conflict', reason: 'invalid_state', param: 'at' });
  });

  it('has no late line of its period while the only invoice of that is void, nor a flat amount of a first tier', async () => {
    const tier = { up_to: null, unit_amount: '1.00', flat_amount: '2.00' };
    const id = await customer({}, at('04-01'));
    const charge = { event_name: 'call', pricing_model: 'graduated', tiers: [tier] };
    const subscription_id = (await subscribe(id, await plan([charge]))).id;
    await calls(id, '04-10', 1);
    const [april] = await advance(id, at('05-05'));
    await done(`/v1/invoices/${april!.id}/void`);
    await end(subscription_id, at('04-20'));
    await advance(id, at('05-26'));
    const standing = (await invoicesOf(id)).filter(({ status }) => status !== 'void');
    assert.deepEqual(standing.flatMap(shown), []);
    const { data } = await generate(subscription_id);
    assert.deepEqual(
      data.map(({ total }: Json) => total),
      ['3.00'],
    );
  });

  it('sent twice at once, is made once', async () => {
    const { id, subscription_id } = await figure();
    const answers = await Promise.all([1, 2, 3].map(() => post(path(subscription_id), { at: at('04-20') })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409]);
    assert.deepEqual(amounts(await notesOf(id)), ['11.00', '30.00']);
  });

  it('credits what a note of a person took once that note is void', async () => {
    const arrears = { ...SUPPORT, flat_amount: '30.00' };
    const { id, subscription_id } = await aLife([fee('30.00'), arrears]);
    const [april] = await advance(id, at('05-05'));
    const by_hand = await done(`/v1/invoices/${april!.id}/credit-notes`, {
      ...{ lines: 'all', reason: 'Goodwill' },
    });
    await end(subscription_id, at('04-20'));
    assert.deepEqual(amounts(await notesOf(id)), ['60.00', '11.00']);
    await done(`/v1/credit-notes/${by_hand['id']}/void`);
    assert.deepEqual(amounts(await notesOf(id)), ['60.00', '11.00', '11.00', '30.00']);
    // Afterwards the database must be sound: the beginning of the period that the end opened is worked off.
    await advance(id, at('05-06'));
  });
});

/** billing.md 1: without days for late usage, the last invoice follows at once. */
describe('an end in a period that is billed, without days for late usage', function () {
  const stack = useStack({ LATE_USAGE_DAYS: '0' });
  const customers = testCustomersOn(requestsTo(stack));
  const { advance } = customers;
  const { aLife, amounts, calls, end, notesOf, untilLast } = billedEndsOn(customers);

  it('has its last invoice at once', async () => {
    for (const [when, notes] of [
      [at('04-20'), ['11.00', '30.00', '4.00']],
      [at('04-01T00:01'), ['30.00', '30.00', '7.00']],
    ] as const) {
      const { id, subscription_id } = await aLife([fee('30.00'), CALLS]);
      await calls(id, '04-10', 3);
      await calls(id, '04-25', 4);
      await advance(id, at('05-05'));
      const preview = await end(subscription_id, when, { dry_run: true });
      await end(subscription_id, when);
      const { period_start, period_end } = await untilLast(id);
      assert.deepEqual([period_start, period_end], [when, at('05-05')]);
      assert.deepEqual([amounts(await notesOf(id)), amounts(preview.credit_notes)], [notes, notes]);
    }
  });
});
