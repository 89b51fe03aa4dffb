import assert from 'node:assert/strict';
import { csvFrom } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 7. That every entry balances, and agrees with the invoices, is checked after each test with a stack (test/support/ledger/books.ts). */
describe('the journal', function () {
  const stack = useStack();
  const { get, post, done, customer, subscribe, plan, advance } = testCustomersOn(requestsTo(stack));

  const linesOf = async (customer_id: string, range = `from=${at('01-01')}&to=${at('12-31')}`) => {
    const { rows } = await csvFrom(`${stack().api_url}/v1/journal.csv?${range}`, stack().test_key);
    return rows.filter((row) => row['customer_id'] === customer_id);
  };

  it('has the lines of what was issued, paid, credited, applied and voided, in the order of recording', async () => {
    const customer_id = await customer({ tax_rate: '20' });
    await subscribe(customer_id, await plan([FLAT]));
    await done(`/v1/customers/${customer_id}/balance-adjustments`, { amount: '8.80', reason: 'Goodwill' });
    const [january] = await advance(customer_id, at('02-01')); // 49.00 and 9.80 of tax, 8.80 from the balance
    const path = `/v1/invoices/${january.id}`;
    await advance(customer_id, at('02-02'));
    const payment = await done(`${path}/payments`, {
      amount: '60.00',
      excess: 'balance',
      paid_at: at('01-31'),
    });
    await advance(customer_id, at('02-03'));
    const lines = [{ line_item_id: january.line_items[0].id, amount: '10' }];
    const note = await done(`${path}/credit-notes`, { lines, reason: 'Outage', settle: 'outside' });
    await advance(customer_id, at('02-04'));
    await done(`/v1/credit-notes/${note.id}/void`);
    await advance(customer_id, at('02-05'));
    await done(`${path}/payments/${payment.id}/reverse`, { reason: 'Bounced' });
    await done(`/v1/customers/${customer_id}/balance-adjustments`, { amount: '1', reason: 'Sorry' });
    await advance(customer_id, at('02-06'));
    await done(`${path}/apply-balance`);
    await advance(customer_id, at('02-07'));
    await done(`${path}/void`);
    const shown = (await linesOf(customer_id)).map(
      ({ at: when, type, account, debit, credit }) =>
        `${when?.slice(5, 10)} ${type} ${account} ${debit}|${credit}`,
    );
    assert.deepEqual(shown, [
      ...['01-01 adjustment customer_balance |8.80', '01-01 adjustment adjustments 8.80|'],
      ...['02-01 issue receivable 50.00|', '02-01 issue revenue |49.00', '02-01 issue tax_payable |9.80'],
      '02-01 issue customer_balance 8.80|',
      ...[
        '02-02 payment receivable |50.00',
        '02-02 payment customer_balance |10.00',
        '02-02 payment cash 60.00|',
      ],
      ...[
        '02-03 credit_note revenue 10.00|',
        '02-03 credit_note tax_payable 2.00|',
        '02-03 credit_note cash |12.00',
      ],
      ...['02-04 credit_note_void revenue |10.00', '02-04 credit_note_void tax_payable |2.00'],
      '02-04 credit_note_void cash 12.00|',
      ...['02-05 adjustment customer_balance |1.00', '02-05 adjustment adjustments 1.00|'],
      ...[
        '02-05 reversal receivable 50.00|',
        '02-05 reversal customer_balance 10.00|',
        '02-05 reversal cash |60.00',
      ],
      ...['02-06 balance_applied receivable |1.00', '02-06 balance_applied customer_balance 1.00|'],
      ...['02-07 void receivable |49.00', '02-07 void revenue 49.00|', '02-07 void tax_payable 9.80|'],
      '02-07 void customer_balance |9.80',
    ]);
    const paid = (await linesOf(customer_id)).filter(({ type }) => type === 'payment');
    assert.deepEqual(
      paid.map(({ paid_at }) => paid_at),
      Array(3).fill(at('01-31')),
    );
    const february = await linesOf(customer_id, `from=${at('02-01')}&to=${at('02-03')}`);
    assert.deepEqual([...new Set(february.map(({ type }) => type))], ['issue', 'payment']);
  });

  it('has the numbers of the accounts that are closest, and after them the columns as ever', async () => {
    const customer_id = await customer({ tax_rate: '19', name: 'Ocean' });
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01'));
    const deposit = await done(`/v1/customers/${customer_id}/payments`, { amount: '5.00' });
    await get('/v1/account', {
      method: 'PATCH',
      body: {
        account_numbers: [
          { account: 'receivable', number: '1400' },
          { account: 'revenue', number: '8000' },
          { account: 'revenue', tax_rate: '19', number: '8400' },
          { account: 'tax_payable', tax_treatment: 'exempt', number: '1775' },
        ],
      },
    });
    const { names } = await csvFrom(
      `${stack().api_url}/v1/journal.csv?month=${at('02-01').slice(0, 7)}`,
      stack().test_key,
    );
    assert.deepEqual(names, [
      ...['day', 'document_number', 'customer_name', 'account_number'],
      ...[
        'at',
        'entry',
        'type',
        'object_id',
        'customer_id',
        'currency',
        'account',
        'debit',
        'credit',
        'paid_at',
      ],
    ]);
    assert.deepEqual(
      (await linesOf(customer_id)).map((row) => [
        ...[
          row['entry'],
          row['document_number'],
          row['customer_name'],
          row['account'],
          row['account_number'],
        ],
      ]),
      [
        [`issue:${invoice.id}`, invoice.number, 'Ocean', 'receivable', '1400'],
        [`issue:${invoice.id}`, invoice.number, 'Ocean', 'revenue', '8400'],
        [`issue:${invoice.id}`, invoice.number, 'Ocean', 'tax_payable', ''],
        [`payment:${deposit.id}`, '', 'Ocean', 'customer_balance', ''],
        [`payment:${deposit.id}`, '', 'Ocean', 'cash', ''],
      ],
    );
    await get('/v1/account', { method: 'PATCH', body: { account_numbers: [] } });
  });

  it('asks for a range, and refuses what a file does not have', async () => {
    const range = `from=${at('01-01')}&to=${at('02-01')}`;
    const REFUSED = [
      ['', 'from'],
      [`from=${at('01-01')}`, 'to'],
      [`from=${at('02-01')}&to=${at('01-01')}`, 'from'],
      [`from=x&to=${at('01-01')}`, 'from'],
      [`${range}&limit=10`, 'limit'],
      [`${range}&cursor=x`, 'cursor'],
    ] as const;
    for (const [query, param] of REFUSED)
      assertRefused(await get(`/v1/journal.csv?${query}`), { code: 'invalid_request', param });
    const { rows } = await csvFrom(`${stack().api_url}/v1/journal.csv?${range}`, stack().live_key);
    assert.deepEqual(rows, []);
  });

  it('and credit notes and balance entries are files with the rows of their lists', async () => {
    const customer_id = await customer({ tax_rate: '20' });
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01'));
    await done(`/v1/invoices/${invoice.id}/pay`);
    const lines = [{ line_item_id: invoice.line_items[0].id }];
    const note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: '=1+1' });
    const file = async (path: string) => (await csvFrom(stack().api_url + path, stack().test_key)).rows;
    const [credited, ...more] = await file(`/v1/credit-notes.csv?customer_id=${customer_id}`);
    assert.deepEqual(more, []);
    assert.deepEqual(
      [
        credited!['id'],
        credited!['number'],
        credited!['tax_amount'],
        credited!['total'],
        credited!['reason'],
      ],
      [note.id, note.number, '9.80', '58.80', "'=1+1"],
    );
    const entries = await file(`/v1/customers/${customer_id}/balance-entries.csv`);
    assert.deepEqual(
      entries.map(({ type, amount }) => [type, amount]),
      [['credit_note', '58.80']],
    );
    assert.equal((await get('/v1/customers/nobody/balance-entries.csv')).status, 404);
    assert.equal((await post('/v1/journal.csv')).status, 404);
  });
});
