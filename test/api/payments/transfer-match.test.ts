import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { transfersOn } from '../../support/ledger/transfers.ts';

const NOTHING = { customer_id: null, invoices: [], to_balance: '0.00', transfer_id: null, candidates: [] };

/** billing.md 7, "Rows of a bank's file". */
describe("the match of a bank's file", function () {
  const stack = useStack();
  const given = testCustomersOn(requestsTo(stack));
  const { post, done, read } = given;
  const { twoInvoices, invoicesOf } = transfersOn(given);

  const row = (reference: string, amount: string, more: object = {}) => ({
    ...{ paid_at: at('02-05').slice(0, 10), amount, currency: 'USD', reference },
    ...more,
  });
  const matched = async (...rows: Json[]): Promise<Json[]> => {
    const { object, data } = await done('/v1/transfers/match', { rows });
    assert.deepEqual([object, data.length], ['transfer_match', rows.length]);
    return data;
  };
  const named = ({ id, number }: Json, amount: string) => ({ id, number, amount });
  const candidate = ({ customer_id, id, number, amount_due: amount }: Json) => ({
    ...{ customer_id, id, number, amount },
  });

  it('of 160.00 for 100.00 and 50.00 is matched, with 10.00 to the balance; what it says is what a transfer does', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const reference = `Invoices ${fifty.number.toLowerCase()} / ${hundred.number.replace('-', '')}`;
    const bank_row = row(reference, '160');
    const [match] = await matched(bank_row);
    const invoices = [named(fifty, '50.00'), named(hundred, '100.00')];
    const result = { ...NOTHING, status: 'matched', customer_id, invoices, to_balance: '10.00' };
    assert.deepEqual(match, result);
    assert.deepEqual((await read(`/v1/payments?customer_id=${customer_id}`)).data, [], 'nothing is stored');
    const { id, payments } = await done('/v1/transfers', {
      ...{ customer_id, amount: '160', reference, paid_at: bank_row.paid_at },
      invoices: invoices.map((invoice) => ({ id: invoice.id, amount: invoice.amount })),
    });
    assert.deepEqual(
      payments.map(({ amount }: Json) => amount),
      ['50.00', '100.00', '10.00'],
    );
    const booked = { ...NOTHING, status: 'booked', customer_id, transfer_id: id };
    assert.deepEqual(await matched(bank_row), [booked]);
    await done(`/v1/transfers/${id}/reverse`, { reason: 'mistake' });
    assert.deepEqual(await matched(bank_row), [result]);
  });

  it('of too little is partial for one invoice, and ambiguous for two', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const both = `${hundred.number} ${fifty.number}`;
    assert.deepEqual(await matched(row(hundred.number, '80.00'), row(both, '149.99'), row(both, '150.00')), [
      { ...NOTHING, status: 'partial', customer_id, invoices: [named(hundred, '80.00')] },
      { ...NOTHING, status: 'ambiguous', customer_id, candidates: [hundred, fifty].map(candidate) },
      {
        ...{ ...NOTHING, status: 'matched', customer_id },
        invoices: [named(hundred, '100.00'), named(fifty, '50.00')],
      },
    ]);
  });

  it('with invoices of two customers is ambiguous', async () => {
    const [{ hundred }, { fifty }] = [await twoInvoices(), await twoInvoices()];
    assert.deepEqual(await matched(row(`${hundred.number},${fifty.number}`, '150.00')), [
      { ...NOTHING, status: 'ambiguous', candidates: [hundred, fifty].map(candidate) },
    ]);
  });

  it('not above 0 is ignored, and not in the currency or not open is unmatched', async () => {
    const { hundred, fifty } = await twoInvoices();
    await done(`/v1/invoices/${fifty.id}/void`);
    const { number } = hundred;
    const found = await matched(
      ...[row(number, '-100.00'), row(number, '0'), row(number, '100.00', { currency: 'EUR' })],
      ...[row(fifty.number, '3.21'), row(`${number}1`, '3.21'), row('Thank you', '3.21')],
    );
    assert.deepEqual(
      found.map(({ status, ...rest }) => [status, rest]),
      [
        ...['ignored', 'ignored'].map((status) => [status, NOTHING]),
        ...Array.from({ length: 4 }, () => ['unmatched', NOTHING]),
      ],
    );
  });

  it('without a number has five open invoices of its amount, first those of customers with that name', async () => {
    const invoices: Json[] = [];
    for (const name of [null, 'Other', null, null, null, null, 'Ada Limited'])
      invoices.push(...(await invoicesOf(['73.21'], { name })));
    const [first, other, third, fourth, fifth, , ada] = invoices.map(candidate);
    const found = await matched(
      row('Thank you', '73.21'),
      row('Thank you', '73.21', { name: 'ADA limited' }),
      row('Thank you', '73.20'),
    );
    assert.deepEqual(
      found.map(({ status, candidates }) => [status, candidates]),
      [
        ['unmatched', [first, other, third, fourth, fifth]],
        ['unmatched', [ada, first, other, third, fourth]],
        ['unmatched', []],
      ],
    );
  });

  it('is booked by a payment of its own too, on its day and in its currency alone', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const reference = `Mine ${hundred.number}`;
    const body = { amount: '12.00', reference, paid_at: at('02-05T23:00') };
    const payment = await done(`/v1/invoices/${hundred.id}/payments`, body);
    const found = await matched(
      row(reference, '12'),
      row(reference, '12', { paid_at: at('02-06').slice(0, 10) }),
      row(reference, '12.01'),
      row(reference, '12', { currency: 'EUR' }),
      row(reference.toLowerCase(), '12'),
    );
    assert.deepEqual(found[0], { ...NOTHING, status: 'booked', customer_id });
    assert.deepEqual(
      found.slice(1).map(({ status }) => status),
      ['partial', 'partial', 'unmatched', 'partial'],
    );
    await done(`/v1/payments/${payment.id}/reverse`, { reason: 'mistake' });
    assert.equal((await matched(row(reference, '12')))[0]!['status'], 'partial');
  });

  it('finds what an amount without decimals is, and refuses a half', async () => {
    const [invoice] = await invoicesOf(['500'], { currency: 'JPY' });
    const yen = row(invoice!['number'], '600', { currency: 'JPY' });
    const [match] = await matched(yen);
    assert.deepEqual([match!['invoices'][0].amount, match!['to_balance']], ['500', '100']);
    assertRefused(await post('/v1/transfers/match', { rows: [yen, { ...yen, amount: '0.5' }] }), {
      code: 'invalid_request',
      param: 'rows[1].amount',
      reason: 'out_of_range',
    });
  });

  it('takes 1 to 1,000 rows, each with what it needs', async () => {
    const sound = row('INV', '1');
    for (const [rows, param] of [
      [[], 'rows'],
      [Array.from({ length: 1001 }, () => sound), 'rows'],
      [[sound, { ...sound, reference: '' }], 'rows[1].reference'],
      [[{ ...sound, reference: 'x'.repeat(256) }], 'rows[0].reference'],
      [[{ ...sound, paid_at: 'yesterday' }], 'rows[0].paid_at'],
      [[{ ...sound, amount: '1,00' }], 'rows[0].amount'],
      [[{ ...sound, currency: 'XXX' }], 'rows[0].currency'],
      [[{ ...sound, iban: 'DE' }], 'rows[0].iban'],
    ] as [Json[], string][])
      assertRefused(await post('/v1/transfers/match', { rows }), { code: 'invalid_request', param });
    assert.equal((await matched(...Array.from({ length: 1000 }, () => sound))).length, 1000);
  });

  it('is no search of what the reference says to a database', async () => {
    const texts = ["'); drop table invoices; --", '%', '_', '.*', '\\d+', '"}]', "1' or '1'='1"];
    const found = await matched(...texts.map((text) => row(text, '3.21')));
    assert.deepEqual([...new Set(found.map(({ status }) => status))], ['unmatched']);
  });

  it('of test data finds no live invoice, and the reverse', async () => {
    const { hundred } = await twoInvoices();
    const rows = [row(hundred.number, '100.00')];
    const live = await post('/v1/transfers/match', { rows }, { key: stack().live_key });
    assert.deepEqual(live.body.data, [{ ...NOTHING, status: 'unmatched' }]);
  });

  it('is the same in any order, and what a transfer does with all that a row has', async () => {
    const owed = [await twoInvoices(), await twoInvoices()];
    const invoices = owed.flatMap(({ hundred, fifty }) => [hundred, fifty]);
    const aRow = fc.record({
      picks: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
      amount: fc.constantFrom('0.01', '50.00', '73.20', '100.00', '149.99', '150.00', '1000.00', '-1'),
      gap: fc.constantFrom(' ', ', ', '/', ' and '),
    });
    const cents = (amount: string) => Math.round(Number(amount) * 100);
    const property = fc.asyncProperty(fc.array(aRow, { minLength: 1, maxLength: 20 }), async (picked) => {
      const rows = picked.map(({ picks, amount, gap }) =>
        row(`Paid ${picks.map((pick) => invoices[pick]!['number']).join(gap)}`, amount),
      );
      const found = await matched(...rows);
      assert.deepEqual((await matched(...rows.toReversed())).toReversed(), found);
      for (const [place, match] of found.entries()) {
        const of_row = picked[place]!.picks.map((pick) => invoices[pick]!);
        assert.equal(match['status'], statusOf(of_row, cents(picked[place]!.amount)));
        if (match['invoices'].length === 0) continue;
        const amounts = match['invoices'].map(({ amount }: Json) => cents(amount));
        const all = amounts.reduce((sum: number, amount: number) => sum + amount, 0);
        assert.equal(all + cents(match['to_balance']), cents(picked[place]!.amount));
      }
    });
    await fc.assert(property, { numRuns: 20 });

    function statusOf(of_row: readonly Json[], amount: number): string {
      if (amount <= 0) return 'ignored';
      if (of_row.length === 0) return 'unmatched';
      const due = of_row.reduce((sum, { total }) => sum + cents(total), 0);
      if (new Set(of_row.map(({ customer_id }) => customer_id)).size > 1) return 'ambiguous';
      if (due <= amount) return 'matched';
      return of_row.length > 1 ? 'ambiguous' : 'partial';
    }
  });
});
