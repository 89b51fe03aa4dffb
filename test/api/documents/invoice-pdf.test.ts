import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  at,
  FLAT,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
  type Use,
} from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { pagesOf, usePoppler } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';

const YEAR = at('01-01').slice(0, 4);
const JANUARY = `from 1 to 31 January ${YEAR}`;
const GRADUATED = {
  event_name: 'token',
  aggregation: { type: 'sum', property: 'tokens' },
  pricing_model: 'graduated',
  tiers: TIERS,
};
const tokens = (count: number): Use => ({ event_name: 'token', properties: { tokens: count } });
const CALLS = times(3, {});
const PACKAGE = {
  event_name: 'mail',
  pricing_model: 'package',
  package_size: '1000',
  package_amount: '7.5',
  free_units: '1',
};

describe('the PDF of an invoice', () => {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, grant, plan, read, subscribe, use } = testCustomersOn(request);

  const fetchPdf = ({ id }: Json, method = 'GET') =>
    fetch(`${stack().api_url}/v1/invoices/${id}.pdf`, {
      method,
      headers: { Authorization: `Bearer ${stack().test_key}` },
    });
  const bytesOf = async (invoice: Json) => Buffer.from(await (await fetchPdf(invoice)).arrayBuffer());
  const linesOf = async (invoice: Json) => (await pagesOf(await bytesOf(invoice))).flat();

  async function assertSays(invoice: Json, says: readonly string[], not: readonly string[] = []) {
    const lines = await linesOf(invoice);
    const has = (part: string) => lines.some((line) => line.includes(part));
    const wrong = [...says.filter((part) => !has(part)), ...not.filter(has)];
    assert.deepEqual(wrong, [], lines.join('\n'));
  }

  /** January's invoice of a new customer. */
  async function january(parts: {
    charges: object[];
    customer?: object;
    currency?: string;
    credit?: number;
    uses?: Use[];
    hold_drafts?: boolean;
  }): Promise<Json> {
    const { charges, currency = 'USD', credit = 0, uses = [], hold_drafts = false } = parts;
    const customer_id = await customer({ currency, ...parts.customer });
    await subscribe(customer_id, await plan(charges, { currency }));
    if (credit > 0) await grant(customer_id, credit);
    if (uses.length > 0) await use(customer_id, uses);
    const [invoice] = await advance(customer_id, at('02-01'), { hold_drafts });
    return invoice;
  }

  const ADDRESS = {
    ...{ line1: 'Hafenstraße 12', line2: null, postal_code: '20457', city: 'Hamburg', state: null },
    country: 'DE',
  };

  before(() =>
    stack().pool.query(
      `update environments set name = 'Sellers & Söhne', invoice_footer = 'Payable within 14 days.', tax_ids = $2, address = $1
       where id = 1`,
      [ADDRESS, JSON.stringify([{ type: 'eu_vat', value: 'DE136695976' }])],
    ),
  );

  it('shows seller, customer, lines, tiers and totals', async () => {
    const invoice = await january({
      charges: [FLAT, PER_UNIT, GRADUATED, PACKAGE],
      customer: { name: 'Acme Sp. z o.o.', email: 'billing@acme.example', tax_rate: '7.70' },
      credit: 2,
      uses: [...CALLS, tokens(1500), ...times(2, { event_name: 'mail' })],
    });
    // 49 + (3 - 2 credits) x 1 + 1,000 x 0.10 + 500 x 0.05 + 5 + one package at 7.50 = 187.50; 7.7 % of it are 14.4375.
    await assertSays(invoice, [
      'Sellers & Söhne',
      'Hafenstraße 12',
      '20457 Hamburg',
      'Acme Sp. z o.o.',
      invoice.customer_id,
      'billing@acme.example',
      `Number | ${invoice.number}`,
      `Issued | 1 February ${YEAR}`,
      `Period | ${JANUARY}`,
      'Description | Quantity | Credit used | Unit price | Amount (USD)',
      ' | 1 | 49.00 | 49.00',
      ' | 3 | 2 | 1.00 | 1.00',
      ' | 1,500 | by tier | 130.00',
      'up to 1,000 | 1,000 | 0.10 | 100.00',
      'over 1,000 to 10,000, plus 5.00 | 500 | 0.05 | 30.00',
      ' | 2 | 7.50 per 1,000 | 7.50',
      'Subtotal | 187.50 USD',
      'Tax (7.7%) | 14.44 USD',
      'Total | 201.94 USD',
      'Amount due | 201.94 USD',
      'Credit used | 2 units',
      'Payable within 14 days.',
      `invoice ${invoice.number} | Page 1 of 1`,
      'TEST: test data',
    ]);
  });

  it('prints days of its time zone, and names it once', async () => {
    const customer_id = await customer();
    await stack().pool.query(`update customers set timezone = 'Europe/Berlin' where external_id = $1`, [
      customer_id,
    ]);
    await subscribe(customer_id, await plan([FLAT]), { start_date: `${YEAR}-03-01` });
    const [invoice] = await advance(customer_id, at('03-31T22:00'));
    assert.equal(invoice.timezone, 'Europe/Berlin');
    const says = [
      `Issued | 1 April ${YEAR}`,
      `Period | from 1 to 31 March ${YEAR}`,
      'Time zone | Europe/Berlin',
    ];
    await assertSays(invoice, says, ['UTC']);
    assert.match(invoice.line_items[0].description, /\(Europe\/Berlin\)$/);
    const said = (await linesOf(invoice)).join('\n');
    assert.equal(said.match(/Europe\/Berlin/g)!.length, 1, said);
  });

  const PAID = { reference: 'SEPA 77', paid_at: at('01-31') };
  const STATES: [state: string, step: [path: string, body: object] | null, says: string[], not: string[]][] =
    [
      ['open', null, ['Amount due | 3.00 USD'], ['Paid', 'VOID', 'DRAFT']],
      ['paid', ['pay', PAID], ['Amount due | 3.00 USD'], ['Paid', 'PAID', 'SEPA 77', 'VOID', 'DRAFT']],
      [
        'void',
        ['void', { reason: 'a mistake' }],
        ['VOID: do not pay this invoice', 'Total | 3.00 USD', 'Amount due | 3.00 USD'],
        ['a mistake', 'Paid', 'eplaced by'],
      ],
    ];
  for (const [state, step, says, not] of STATES) {
    it(`of an invoice that is ${state}: says what it said when it was issued, and whether it is void`, async () => {
      const invoice = await january({ charges: [PER_UNIT], uses: CALLS });
      if (step !== null) await done(`/v1/invoices/${invoice.id}/${step[0]}`, step[1]);
      await assertSays(invoice, says, not);
    });
  }

  it('of a draft says so, and has no number', async () => {
    const draft = await january({ charges: [FLAT], hold_drafts: true });
    await assertSays(draft, ['DRAFT: not issued', 'Number | Draft'], ['Issued', 'INV-']);
    const disposition = (await fetchPdf(draft)).headers.get('content-disposition');
    assert.equal(disposition, `inline; filename="draft-${draft.id}.pdf"`);
  });

  it('of a replaced invoice and of its replacement name each other', async () => {
    const old = await january({ charges: [PER_UNIT], uses: CALLS });
    const made = await done(`/v1/invoices/${old.id}/regenerate`);
    await assertSays(old, [`VOID: do not pay this invoice, replaced by ${made.number}`]);
    await assertSays(made, [`Replaces | ${old.number}`], ['VOID', 'eplaced by']);
  });

  it('names the period of late usage', async () => {
    const first = await january({ charges: [GRADUATED], uses: [tokens(900)] });
    await use(first.customer_id, [{ ...tokens(300), timestamp: at('01-05') }]);
    const [second] = await advance(first.customer_id, at('03-01'));
    const said = (await linesOf(second)).join(' ');
    assert.match(said, new RegExp(`Late usage: Token: 300 \\(sum of tokens.*January ${YEAR}`));
    // 1,200 units cost 100 + 5 + 10 = 115; 900 were billed at 0.10 = 90.
    await assertSays(second, [' | 300 | by tier | 25.00']);
  });

  const CURRENCIES: [currency: string, amount: string, price: string, says: string[]][] = [
    ['PLN', '1234567.89', '1,234,567.89', ['Amount (PLN)', 'Total | 1,234,567.89 PLN']],
    ['INR', '999999', '999,999.00', ['Total | 999,999.00 INR']],
    ['JPY', '1000', '1,000', ['Total | 1,000 JPY']],
    ['KWD', '0.0005', '0.001', ['0.0005 rounded to', 'Total | 0.001 KWD']],
    ['USD', '12345678901234.56', '12,345,678,901,234.56', ['Total | 12,345,678,901,234.56 USD']],
  ];
  for (const [currency, flat_amount, price, says] of CURRENCIES) {
    it(`${flat_amount} ${currency}: ${says.at(-1)}`, async () => {
      const invoice = await january({ charges: [{ ...FLAT, flat_amount }], currency });
      await assertSays(invoice, [...says, ` | ${price} | `]);
    });
  }

  describe('of an issued invoice is the same bytes', () => {
    const CHANGES: [what: string, change: (invoice: Json) => Promise<unknown>][] = [
      [
        'A1: after a change of the account',
        () =>
          stack().pool.query(
            `update environments set name = 'Heirs', address = null, tax_ids = '[]', invoice_footer = 'Payable at once.', timezone = 'Asia/Tokyo',
               net_days = 30, invoice_prefix = 'RE-', hide_zero_lines = true`,
          ),
      ],
      [
        'after a change of the customer',
        ({ customer_id }) =>
          request(`/v1/customers/${customer_id}`, {
            method: 'PATCH',
            body: { name: 'Bought', email: 'a@b.example' },
          }),
      ],
      ['after a payment', ({ id }) => done(`/v1/invoices/${id}/pay`, PAID)],
      [
        'after a discount of its period',
        ({ customer_id, period_start: from }) =>
          done('/v1/discounts', { customer_id, name: 'Loyalty', percent: '10', from }),
      ],
    ];
    for (const [what, change] of CHANGES) {
      it(what, async () => {
        const invoice = await january({ charges: [PER_UNIT], uses: CALLS });
        const issued = await bytesOf(invoice);
        await change(invoice);
        assert.ok(issued.equals(await bytesOf(invoice)));
      });
    }

    it('and a void adds one band to it', async () => {
      const invoice = await january({ charges: [PER_UNIT], uses: CALLS });
      const issued = await linesOf(invoice);
      await done(`/v1/invoices/${invoice.id}/void`, { reason: 'a mistake' });
      const band = 'VOID: do not pay this invoice';
      assert.deepEqual(
        (await linesOf(invoice)).filter((line) => line !== band),
        issued,
      );
      assert.ok((await linesOf(invoice)).includes(band));
    });
  });

  it('has the same bytes each time, and the headers of a document', async () => {
    const invoice = await january({ charges: [FLAT] });
    const [once, twice] = [await bytesOf(invoice), await bytesOf(invoice)];
    assert.ok(once.equals(twice));
    assert.ok(once.length < 150_000, `${once.length} bytes`);
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, ...answer } = await fetchPdf(invoice, method).then(async (received) => ({
        status: received.status,
        headers: received.headers,
        bytes: (await received.arrayBuffer()).byteLength,
      }));
      assert.equal(status, 200);
      assert.equal(headers.get('content-type'), 'application/pdf');
      assert.equal(headers.get('content-disposition'), `inline; filename="${invoice.number}.pdf"`);
      assert.equal(headers.get('content-length'), `${once.length}`);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.match(headers.get('x-request-id')!, /^req_/);
      assert.equal(answer.bytes, method === 'GET' ? once.length : 0);
    }
  });

  it('is refused like any other request', async () => {
    const { id } = await january({ charges: [FLAT] });
    const path = `/v1/invoices/${id}.pdf`;
    const { live_key } = stack();
    assertRefused(await request('/v1/invoices/inv_none.pdf'), { code: 'not_found' });
    assertRefused(await request(path, { key: live_key }), { code: 'not_found' });
    assertRefused(await request(path, { key: 'tm_sk_test_none' }), { code: 'unauthorized' });
    assertRefused(await request(`${path}?page=1`), { code: 'invalid_request', param: 'page' });
    const posted = await request(path, { method: 'POST', body: {} });
    assertRefused(posted, { code: 'not_found' });
    assert.equal(posted.headers.get('allow'), 'GET, HEAD');
    assert.equal((await read(`/v1/invoices/${id}`)).id, id);
  });
});
