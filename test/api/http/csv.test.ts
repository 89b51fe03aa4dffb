import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom, type CsvFile } from '../../support/documents/csv.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const FORMULA = '=HYPERLINK("https://example.com","pay")';
const NAMES = ['東京電力', 'بيروت', 'Öko "Süd", GmbH'];

/** contract.md 1. */
describe('CSV files', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { get, done, read, customer, subscribe, plan, use, grant, advance } = testCustomersOn(request);
  const file = (path: string, key = stack().test_key): Promise<CsvFile> =>
    csvFrom(stack().api_url + path, key);

  /** Invoices of January, of 2.00 and tax 0.40, in the order of NAMES, after one credit. */
  const invoices: Json[] = [];
  before(async () => {
    for (const name of NAMES) {
      const customer_id = await customer({ name, tax_rate: '20', buyer_reference: FORMULA });
      await subscribe(customer_id, await plan([{ ...PER_UNIT, name: FORMULA }]));
      await grant(customer_id, 1);
      await use(customer_id, [{}, {}, { properties: { region: '@eu' } }]);
      invoices.push(...(await advance(customer_id, at('02-01'))));
    }
    const [{ id }] = invoices;
    await done(`/v1/invoices/${id}/payments`, { amount: '1.50', reference: '+49 cheque' });
    invoices[0] = await read(`/v1/invoices/${id}`);
  });

  /** An object as a row of a file: nested members joined by _, and every value as text. */
  function rowOf(object: Json, path: string[] = []): Record<string, string> {
    const cells = Object.entries<Json>(object).flatMap(([name, value]) => {
      const at = [...path, name];
      if (typeof value === 'object' && value !== null && !Array.isArray(value))
        return Object.entries(rowOf(value, at));
      const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
      return [[at.join('_'), text.replace(/^(?==|\+|@)/, "'")]];
    });
    return Object.fromEntries(cells);
  }

  /** The columns that files of what is booked begin with, besides the name. */
  const booked = (instant: string, document_number: string): Record<string, string> => ({
    day: instant.slice(0, 10),
    document_number,
  });

  it('of what is booked begin with its day, its document and its customer', async () => {
    const { number } = invoices[0];
    const BEGIN = ['day', 'document_number', 'customer_name'];
    const FILES: [path: string, next: string, row: string[]][] = [
      [`invoices.csv?number=${number}`, 'id', [at('02-01').slice(0, 10), number, NAMES[0]!]],
      ['payments.csv', 'id', [at('02-01').slice(0, 10), number, NAMES[0]!]],
      ['credit-notes.csv', 'id', []],
      [
        `journal.csv?from=${at('02-01')}&to=${at('03-01')}`,
        'account_number',
        [at('02-01').slice(0, 10), number, NAMES[0]!],
      ],
    ];
    for (const [path, next, row] of FILES) {
      const { names, rows } = await file(`/v1/${path}`);
      assert.deepEqual(names.slice(0, 4), [...BEGIN, next], path);
      assert.equal(new Set(names).size, names.length, path);
      assert.deepEqual(rows[0] === undefined ? [] : BEGIN.map((name) => rows[0]![name]), row, path);
    }
  });

  it('of what is booked have days in the time zone of the account', async () => {
    const setZone = (timezone: string) => request('/v1/account', { method: 'PATCH', body: { timezone } });
    await setZone('America/New_York');
    const month_before = at('01-31').slice(0, 10);
    for (const list of ['invoices', 'payments'])
      for (const { day } of (await file(`/v1/${list}.csv`)).rows) assert.equal(day, month_before, list);
    for (const { day } of (await file(`/v1/journal.csv?month=${month_before.slice(0, 7)}`)).rows)
      assert.equal(day, month_before);
    await setZone('UTC');
  });

  it('of invoices have the fields of the list, newest first', async () => {
    const { names, rows } = await file('/v1/invoices.csv');
    const expected = invoices
      .toReversed()
      .map(
        ({
          object: _,
          line_items: __,
          payments: ___,
          credit_notes: ____,
          collection_pause: _____,
          collection: _______,
          ...rest
        }) => {
          const row = { ...booked(rest.issued_at, rest.number), ...rowOf(rest) };
          for (const name of names) row[name] ??= '';
          // The seller has no address.
          delete row['seller_address'];
          delete row['customer_address'];
          return row;
        },
      );
    assert.deepEqual(rows, expected);
    assert.deepEqual(
      rows.map(({ customer_name, customer_buyer_reference, tax_amount, total, amount_paid }) => [
        ...[customer_name, customer_buyer_reference, tax_amount, total, amount_paid],
      ]),
      NAMES.toReversed().map((name, place) => [
        ...[name, `'${FORMULA}`, '0.40', '2.40', place === 2 ? '1.50' : '0.00'],
      ]),
    );
  });

  it('of line items say which invoice and customer they are of', async () => {
    const { rows } = await file('/v1/line-items.csv');
    const expected = invoices.toReversed().flatMap((invoice) =>
      invoice.line_items.map(({ id, invoice_item: _, ...line }: Json) => ({
        id,
        invoice_id: invoice.id,
        invoice_number: invoice.number,
        invoice_status: 'open',
        invoice_issued_at: invoice.issued_at,
        customer_id: invoice.customer_id,
        subscription_id: invoice.subscription_id,
        currency: 'USD',
        ...rowOf(line),
        aggregation_property: '',
        ...{ invoice_item_id: '', invoice_item_unit_amount: '' },
      })),
    );
    assert.deepEqual(rows, expected);
    assert.deepEqual([rows.length, rows[0]!['credits_applied'], rows[0]!['amount']], [3, '1', '2.00']);
    assert.ok(rows[0]!['description']!.startsWith(`'${FORMULA}`));
  });

  it('of payments', async () => {
    const { rows } = await file('/v1/payments.csv?reference=%2B49%20cheque');
    const [{ object: _, ...payment }] = invoices[0].payments;
    const { number } = invoices[0];
    const expected: Record<string, string> = {
      ...booked(payment.created_at, number),
      customer_name: NAMES[0]!,
      ...rowOf(payment),
    };
    assert.deepEqual(rows, [expected]);
    assert.deepEqual([rows[0]!['reference'], rows[0]!['amount']], ["'+49 cheque", '1.50']);
  });

  it('of the credit ledger have every movement of every grant', async () => {
    const [invoice] = invoices;
    const { rows } = await file(`/v1/credit-ledger.csv?customer_id=${invoice.customer_id}`);
    const { data } = await read(`/v1/credit-grants?customer_id=${invoice.customer_id}`);
    const [{ id, ledger }] = data;
    const head = { credit_grant_id: id, customer_id: invoice.customer_id };
    assert.deepEqual(
      rows,
      ledger.map((entry: Json) => ({ ...head, ...rowOf(entry) })),
    );
    assert.deepEqual(
      rows.map(({ type, amount, invoice_id }) => [type, amount, invoice_id]),
      [
        ['granted', '1', ''],
        ['drawn', '-1', invoice.id],
      ],
    );
    assert.equal((await file('/v1/credit-ledger.csv')).rows.length, 6);
    // The month in which the grant was drawn, long after it was made: half open.
    const [granted_at, drawn_at] = rows.map(({ created_at }) => created_at!);
    const within = async (query: string) =>
      (await file(`/v1/credit-ledger.csv?customer_id=${invoice.customer_id}&${query}`)).rows.map(
        ({ type }) => type,
      );
    assert.deepEqual(await within(`from=${drawn_at}`), ['drawn']);
    assert.deepEqual(await within(`from=${granted_at}&to=${drawn_at}`), ['granted']);
    assert.deepEqual(await within(`to=${granted_at}`), []);
  });

  it("of a customer's usage, with the filters of the list", async () => {
    const [{ customer_id }] = invoices;
    const path = `/v1/customers/${customer_id}/usage`;
    const query = `?from=${at('01-01')}&to=${at('02-01')}&group_by=property:region`;
    const { rows } = await file(`${path}.csv${query}`);
    const { data } = await read(path + query);
    assert.deepEqual(
      rows,
      data.map((usage: Json) => ({ customer_id, ...rowOf(usage), aggregation_property: '' })),
    );
    assert.deepEqual(
      rows.map(({ group, quantity }) => [group, quantity]),
      [
        ["'@eu", '1'],
        ['', '2'],
      ],
    );
  });

  it('have the filters of their lists, and a header line alone where nothing is found', async () => {
    const [{ customer_id, number }] = invoices;
    const COUNTS: [path: string, rows: number][] = [
      [`/v1/invoices.csv?number=${number}`, 1],
      [`/v1/invoices.csv?issued_from=${at('02-01')}&issued_to=${at('03-01')}&status=open`, 3],
      [`/v1/invoices.csv?issued_to=${at('02-01')}`, 0],
      [`/v1/line-items.csv?customer_id=${customer_id}`, 1],
      ['/v1/line-items.csv?customer_id=nobody', 0],
      [`/v1/payments.csv?from=${at('03-01')}`, 0],
      ['/v1/credit-ledger.csv?customer_id=nobody', 0],
      [`/v1/customers/${customer_id}/usage.csv?event_name=none`, 0],
    ];
    for (const [path, count] of COUNTS) {
      const { names, rows } = await file(path);
      assert.equal(rows.length, count, path);
      assert.ok(names.includes('customer_id'), path);
    }
  });

  it('never have rows of the other environment', async () => {
    for (const list of ['invoices', 'line-items', 'payments', 'credit-ledger'])
      assert.deepEqual((await file(`/v1/${list}.csv`, stack().live_key)).rows, [], list);
    const usage = `/v1/customers/${invoices[0].customer_id}/usage.csv`;
    assertRefused(await get(usage, { key: stack().live_key }), { code: 'not_found' });
  });

  it('have neither pages nor unknown filters', async () => {
    const { customer_id } = invoices[0];
    const lists = ['invoices', 'line-items', 'payments', 'credit-ledger', `customers/${customer_id}/usage`];
    for (const list of lists)
      for (const param of ['limit', 'cursor', 'custmer_id'])
        assertRefused(await get(`/v1/${list}.csv?${param}=1`), {
          ...{ code: 'invalid_request', param, reason: 'unknown_parameter' },
        });
    const RANGES = [
      ['invoices', 'issued_from=2026-02-01&issued_to=2026-01-01', 'issued_from'],
      ['line-items', 'from=2026-02-01&to=2026-01-01', 'from'],
      ['payments', 'from=2026-02-01&to=2026-01-01', 'from'],
      [`customers/${customer_id}/usage`, 'from=2020-02-01&to=2026-01-01', 'to'],
    ];
    for (const [list, query, param] of RANGES)
      assertRefused(await get(`/v1/${list}.csv?${query}`), { code: 'invalid_request', param: param! });
    assertRefused(await get('/v1/invoices.csv', { key: null }), { code: 'unauthorized' });
    assertRefused(await get('/v1/customers/nobody/usage.csv'), { code: 'not_found' });
  });

  it('are not sent for a HEAD', async () => {
    const { status, headers, body } = await get('/v1/invoices.csv', { method: 'HEAD' });
    assert.deepEqual([status, headers.get('content-type'), body], [200, 'text/csv; charset=utf-8', '']);
  });
});
