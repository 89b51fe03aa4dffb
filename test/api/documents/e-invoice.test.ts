import assert from 'node:assert/strict';
import { BUYER, issuerOn, SITUATIONS, type Situation } from '../../e-invoice/situations.ts';
import type { Json } from '../../support/servers/api.ts';
import { fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { elementsAt, parseXml, textsAt, type ParsedElement } from '../../support/documents/xml.ts';

const YEAR = at('01-01').slice(0, 4);
const LINE = 'cac:InvoiceLine';
const PRICE = 'cac:Price/cbc:PriceAmount';
const NAME = 'cac:Item/cbc:Name';
const TOTAL = 'cac:LegalMonetaryTotal';
const CATEGORY = 'cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory';

describe('the e-invoice of an invoice', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const issue = issuerOn(request, customers);
  const { advance, customer, done, plan, subscribe } = customers;
  const { notesOf, untilOpened } = feeLivesOn(customers);

  const fetchXml = ({ id }: Json, method = 'GET') =>
    fetch(`${stack().api_url}/v1/invoices/${id}.xml`, {
      method,
      headers: { Authorization: `Bearer ${stack().test_key}` },
    });
  const bytesOf = async (invoice: Json) => {
    const received = await fetchXml(invoice);
    const bytes = Buffer.from(await received.arrayBuffer());
    assert.equal(received.status, 200, bytes.toString());
    return bytes;
  };
  const read = async (invoice: Json): Promise<ParsedElement> => parseXml(await bytesOf(invoice));
  const textAt = (element: ParsedElement, path: string) => textsAt(element, path)[0];
  /** Quantity, price and amount of each line. */
  const linesOf = (root: ParsedElement) =>
    elementsAt(root, LINE).map((line) => [
      ...textsAt(line, 'cbc:InvoicedQuantity'),
      ...textsAt(line, PRICE),
      ...textsAt(line, 'cbc:LineExtensionAmount'),
    ]);

  for (const [name, situation] of Object.entries<Situation>(SITUATIONS))
    it(`says the amounts of the invoice: ${name}`, async () => {
      const invoice = await issue(situation);
      const root = await read(invoice);
      assert.equal(textAt(root, 'cbc:ID'), invoice.number);
      assert.equal(textAt(root, 'cbc:DueDate'), invoice.due_date);
      assert.deepEqual(
        elementsAt(root, LINE).map((line) => [textAt(line, NAME), textAt(line, 'cbc:LineExtensionAmount')]),
        invoice.line_items.map(({ description, amount }: Json) => [printable(description), amount]),
      );
      assert.equal(textAt(root, `${TOTAL}/cbc:LineExtensionAmount`), invoice.subtotal);
      assert.equal(textAt(root, 'cac:TaxTotal/cbc:TaxAmount'), invoice.tax.amount);
      assert.equal(textAt(root, `${TOTAL}/cbc:TaxInclusiveAmount`), invoice.total);
      assert.equal(textAt(root, `${TOTAL}/cbc:PayableAmount`), invoice.total);
      assert.deepEqual(textsAt(root, 'cbc:Note'), [
        'TEST: test data, no payment is due',
        printable(invoice.seller.footer),
      ]);
      const seller = 'cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity/cbc:RegistrationName';
      assert.equal(textAt(root, seller), printable(invoice.seller.name));
    });

  /** U+FFFE and U+FFFF are no characters of XML. */
  const printable = (text: string) => text.replaceAll(/[\ufffe\uffff]/g, '\ufffd');

  it('has the dates, the reference of the buyer, and lines of a quantity and a price', async () => {
    const root = await read(await issue(SITUATIONS['standard rate']));
    assert.equal(textAt(root, 'cbc:IssueDate'), `${YEAR}-02-01`);
    assert.equal(textAt(root, 'cbc:DueDate'), `${YEAR}-02-15`);
    assert.equal(textAt(root, 'cbc:BuyerReference'), 'PO 4711');
    for (const path of ['cac:InvoicePeriod', `${LINE}/cac:InvoicePeriod`]) {
      assert.equal(textAt(root, `${path}/cbc:StartDate`), `${YEAR}-01-01`);
      assert.equal(textAt(root, `${path}/cbc:EndDate`), `${YEAR}-01-31`);
    }
    assert.deepEqual(linesOf(root), [
      ['1', '49.00', '49.00'],
      ['3', '1', '3.00'],
    ]);
    // 52.00 at 19 percent are 9.88.
    assert.equal(textAt(root, `${TOTAL}/cbc:PayableAmount`), '61.88');
  });

  const CATEGORIES = [
    ['standard rate', 'S', '19', undefined],
    ['a rate of zero', 'Z', '0', undefined],
    ['exempt', 'E', '0', 'Exempt from VAT'],
    ['reverse charge', 'AE', '0', 'Reverse charge: VAT is to be accounted for by the recipient'],
  ] as const;
  for (const [name, code, rate, reason] of CATEGORIES)
    it(`has the category ${code}: ${name}`, async () => {
      const root = await read(await issue(SITUATIONS[name]));
      const said = ['cbc:ID', 'cbc:Percent', 'cbc:TaxExemptionReason'].map((path) =>
        textAt(root, `${CATEGORY}/${path}`),
      );
      assert.deepEqual(said, [code, rate, reason]);
    });

  it('has no price below zero on late lines below zero', async () => {
    const root = await read(await issue(SITUATIONS['late lines below zero']));
    // -3 minutes at 1.00. Of 1,500 tokens, 130.00, 1,100 remain, 110.00: -20.00, a difference of tiers.
    assert.deepEqual(linesOf(root).slice(-2), [
      ['-3', '1', '-3.00'],
      ['-1', '20.00', '-20.00'],
    ]);
    assert.equal(textsAt(root, `${LINE}/cbc:Note`).at(-1), 'Quantity: -400');
  });

  it('has one price for the units of a single tier, and one amount for several', async () => {
    // 900 at 0.10; 1,000 at 0.10, 9,000 at 0.05 plus 5.00, 5,000 at 0.01.
    assert.deepEqual(linesOf(await read(await issue(SITUATIONS['a single tier']))), [
      ['900', '0.1', '90.00'],
    ]);
    const several = await read(await issue(SITUATIONS['graduated tiers']));
    assert.deepEqual(linesOf(several), [['1', '605.00', '605.00']]);
    assert.deepEqual(textsAt(several, `${LINE}/cbc:Note`), ['Quantity: 15,000']);
  });

  it('has the percents of discounts in its prices, and says the price before and what they take off', async () => {
    const pricesOf = (root: ParsedElement) =>
      elementsAt(root, LINE).map((line) => [
        ...textsAt(line, 'cbc:InvoicedQuantity'),
        ...textsAt(line, PRICE),
        ...textsAt(line, 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount'),
        ...textsAt(line, 'cac:Price/cac:AllowanceCharge/cbc:Amount'),
        ...textsAt(line, 'cbc:LineExtensionAmount'),
      ]);
    // 8 x 1.00 x 0.9 x 0.876544 are 6.3111168.
    assert.deepEqual(pricesOf(await read(await issue(SITUATIONS.discounts))), [
      ['1', '44.10', '49.00', '4.9', '44.10'],
      ['900', '0.09', '0.1', '0.01', '81.00'],
      ['8', '0.7888896', '1', '0.2111104', '6.31'],
    ]);
    // 115.00 x 0.9 - 81.00: no single price.
    const late = await read(await issue(SITUATIONS['a late line with a discount']));
    assert.deepEqual(pricesOf(late).at(-1), ['1', '22.50', '22.50']);
    assert.equal(textsAt(late, `${LINE}/cbc:Note`).at(-1), 'Quantity: 300');
    assert.deepEqual(pricesOf(await read(await issue(SITUATIONS['100 percent off']))), [
      ['1', '0.00', '49.00', '49', '0.00'],
      ['3', '0', '1', '1', '0.00'],
    ]);
  });

  it('has period lines of either sign, with no price below zero', async () => {
    const linesAt = async (name: keyof typeof SITUATIONS) =>
      linesOf(await read(await issue(SITUATIONS[name])));
    // 41.00 less 10.00 are 31.00, of 60.00.
    assert.deepEqual(await linesAt('an amount off and a minimum'), [
      ['41', '1', '41.00'],
      ['-1', '10.00', '-10.00'],
      ['1', '29.00', '29.00'],
    ]);
    // January lacked 20.00, and has 105.00 now; February has nothing.
    assert.deepEqual(await linesAt('a minimum below zero'), [
      ['0', '1', '0.00'],
      ['-1', '20.00', '-20.00'],
      ['1', '100.00', '100.00'],
      ['25', '1', '25.00'],
    ]);
    assert.deepEqual(await linesAt('a discount of an amount above zero'), [
      ['60', '1', '60.00'],
      ['1', '10.00', '10.00'],
      ['-1', '10.00', '-10.00'],
      ['-50', '1', '-50.00'],
    ]);
    const nothing = await read(await issue(SITUATIONS['an amount off all']));
    assert.deepEqual(linesOf(nothing).at(-1), ['-1', '7.00', '-7.00']);
    assert.equal(textAt(nothing, `${TOTAL}/cbc:PayableAmount`), '0.00');
  });

  it('of a credit note of 0.00 has the line of the discount that it takes along', async () => {
    const id = await customer({ currency: 'EUR', ...BUYER }, at('04-01'));
    await done('/v1/discounts', { customer_id: id, name: 'Rebate', amount: '10' });
    const { id: subscription_id } = await subscribe(id, await plan([fee('10.00')], { currency: 'EUR' }));
    await untilOpened(id);
    await advance(id, at('04-16'));
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await advance(id, at('04-17'));
    const [note] = await notesOf(id);
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    const received = await fetch(`${stack().api_url}/v1/credit-notes/${note!.id}.xml`, { headers });
    const root = parseXml(Buffer.from(await received.arrayBuffer()));
    assert.equal(root.name, 'CreditNote');
    assert.deepEqual(
      elementsAt(root, 'cac:CreditNoteLine').map((line) => [
        ...textsAt(line, 'cbc:CreditedQuantity'),
        ...textsAt(line, PRICE),
        ...textsAt(line, 'cbc:LineExtensionAmount'),
      ]),
      [
        ['1', '5.00', '5.00'],
        ['-1', '5.00', '-5.00'],
      ],
    );
    assert.equal(textAt(root, 'cac:TaxTotal/cbc:TaxAmount'), '0.00');
    assert.equal(textAt(root, `${TOTAL}/cbc:PayableAmount`), '0.00');
  });

  it('of an invoice that replaces another names that one', async () => {
    const old = await issue({ charges: [FLAT] });
    const invoice = await done(`/v1/invoices/${old.id}/regenerate`);
    const preceding = 'cac:BillingReference/cac:InvoiceDocumentReference';
    const root = await read(invoice);
    assert.equal(textAt(root, `${preceding}/cbc:ID`), old.number);
    assert.equal(textAt(root, `${preceding}/cbc:IssueDate`), `${YEAR}-02-01`);
  });

  it('is the same bytes each time, after payments and changes too, with the headers of a file', async () => {
    const invoice = await issue(SITUATIONS['standard rate']);
    const once = await bytesOf(invoice);
    await done(`/v1/invoices/${invoice.id}/pay`, { paid_at: at('02-01') });
    const changes = { name: 'Heirs', tax_ids: [], address: { country: 'JP' }, invoice_footer: null };
    for (const [path, body] of [
      ['/v1/account', changes],
      [`/v1/customers/${invoice.customer_id}`, { name: 'Bought', address: { country: 'JP' } }],
    ] as const)
      assert.equal((await request(path, { method: 'PATCH', body })).status, 200);
    assert.ok(once.equals(await bytesOf(invoice)));
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await fetchXml(invoice, method);
      assert.equal(headers.get('content-type'), 'application/xml');
      assert.equal(headers.get('content-disposition'), `attachment; filename="${invoice.number}.xml"`);
      assert.equal(headers.get('content-length'), `${once.length}`);
    }
  });

  it('has a file name without a slash', async () => {
    const invoice = await issue({ charges: [FLAT], seller: { invoice_prefix: 'A/B_' } });
    await request('/v1/account', { method: 'PATCH', body: { invoice_prefix: 'INV-' } });
    const name = invoice.number.replace('/', '-');
    for (const extension of ['xml', 'pdf']) {
      const { headers } = await fetch(`${stack().api_url}/v1/invoices/${invoice.id}.${extension}`, {
        headers: { Authorization: `Bearer ${stack().test_key}` },
      });
      assert.match(headers.get('content-disposition')!, new RegExp(`; filename="${name}\\.${extension}"$`));
    }
  });

  describe('is refused', () => {
    const refusal = async ({ id }: Json) => request(`/v1/invoices/${id}.xml`);

    it('for a draft and for a void invoice', async () => {
      const customer_id = await customer();
      await subscribe(customer_id, await plan([FLAT]));
      const [draft] = await advance(customer_id, at('02-01'), { hold_drafts: true });
      assertRefused(await refusal(draft), { code: 'conflict', param: null, reason: 'invalid_state' });
      const invoice = await issue({ charges: [FLAT] });
      await done(`/v1/invoices/${invoice.id}/void`);
      assertRefused(await refusal(invoice), { code: 'conflict', param: null, reason: 'invalid_state' });
    });

    const NO_ADDRESS = {
      line1: null,
      line2: null,
      postal_code: null,
      city: null,
      state: null,
      country: null,
    };
    const FAULTS: [params: string[], situation: Partial<Situation>][] = [
      [['seller.address'], { seller: { address: NO_ADDRESS } }],
      [['seller.tax_ids'], { seller: { tax_ids: [] } }],
      [['customer.name'], { customer: { name: null } }],
      [['customer.address'], { customer: { address: null } }],
      [['customer.tax_ids'], { customer: { tax_ids: [], tax_treatment: 'reverse_charge' } }],
      [['currency'], { currency: 'KWD' }],
      [
        ['seller.address', 'seller.tax_ids', 'customer.name', 'customer.address'],
        { seller: { address: NO_ADDRESS, tax_ids: [] }, customer: { name: null, address: null } },
      ],
    ];
    for (const [params, situation] of FAULTS)
      it(`without ${params.join(', ')}`, async () => {
        const received = await refusal(await issue({ charges: [PER_UNIT], ...situation }));
        const reason = params[0] === 'currency' ? 'not_allowed' : 'missing';
        assertRefused(received, { code: 'conflict', param: params[0]!, reason });
        assert.deepEqual(
          received.body.error.details.map(({ param }: Json) => param),
          params,
        );
      });

    it('like any other request', async () => {
      const { id } = await issue({ charges: [FLAT] });
      const path = `/v1/invoices/${id}.xml`;
      const { live_key } = stack();
      assertRefused(await request('/v1/invoices/inv_none.xml'), { code: 'not_found' });
      assertRefused(await request(path, { key: live_key }), { code: 'not_found' });
      assertRefused(await request(path, { key: 'tm_sk_test_none' }), { code: 'unauthorized' });
      assertRefused(await request(`${path}?page=1`), { code: 'invalid_request', param: 'page' });
      const posted = await request(path, { method: 'POST', body: {} });
      assertRefused(posted, { code: 'not_found' });
      assert.equal(posted.headers.get('allow'), 'GET, HEAD');
    });
  });
});
