import assert from 'node:assert/strict';
import { issuerOn } from '../../e-invoice/situations.ts';
import type { Json } from '../../support/servers/api.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { elementsAt, parseXml, textsAt } from '../../support/documents/xml.ts';

const FEE = { event_name: 'fee', name: 'Fee', pricing_model: 'flat', flat_amount: '90.00' };

/** contract.md 4, billing.md 7. */
describe('a credit note of all lines', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { post, done, read, customer, subscribe, plan, advance } = customers;
  const issue = issuerOn(request, customers);

  /** An open invoice of a fee of 90.00 and an item of -40.00, without tax. */
  async function anInvoice(parts: object = {}): Promise<Json> {
    const customer_id = await customer(parts);
    await subscribe(customer_id, await plan([FEE]));
    await done('/v1/invoice-items', { customer_id, description: 'Discount', unit_amount: '-40.00' });
    const [invoice] = await advance(customer_id, at('02-01'));
    assert.equal(invoice.subtotal, '50.00');
    return invoice;
  }

  const credit = (invoice: Json, body: Json) =>
    post(`/v1/invoices/${invoice.id}/credit-notes`, { reason: 'Wrong plan', ...body });
  const linesOf = (note: Json) => note.lines.map(({ line_item_id, amount }: Json) => [line_item_id, amount]);

  it('has what each line has, those below zero too', async () => {
    const invoice = await anInvoice({ tax_rate: '20' });
    const [fee, discount] = invoice.line_items;
    const preview = await credit(invoice, { lines: 'all', dry_run: true });
    assert.equal(preview.status, 200, JSON.stringify(preview.body));
    const made = await credit(invoice, { lines: 'all' });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    for (const { body } of [preview, made]) {
      assert.deepEqual(linesOf(body), [
        [fee.id, '90.00'],
        [discount.id, '-40.00'],
      ]);
      assert.deepEqual(
        [body.subtotal, body.tax.amount, body.total, body.to_invoice],
        ['50.00', '10.00', '60.00', '60.00'],
      );
    }
    const { status, amount_due } = await read(`/v1/invoices/${invoice.id}`);
    assert.deepEqual([status, amount_due], ['paid', '0.00']);
    for (const body of [{ lines: 'all' }, { lines: 'all', dry_run: true }])
      assertRefused(await credit(invoice, body), {
        code: 'conflict',
        param: 'lines',
        reason: 'invalid_state',
      });
    await done(`/v1/credit-notes/${made.body.id}/void`);
    assert.equal((await credit(invoice, { lines: 'all' })).status, 201);
  });

  it('has what is left beside the notes that stand', async () => {
    const invoice = await anInvoice();
    const [fee, discount] = invoice.line_items;
    await done(`/v1/invoices/${invoice.id}/credit-notes`, {
      lines: [{ line_item_id: fee.id, amount: '30' }],
      reason: 'Outage',
    });
    const { body } = await credit(invoice, { lines: 'all' });
    assert.deepEqual(linesOf(body), [
      [fee.id, '60.00'],
      [discount.id, '-40.00'],
    ]);
    assert.equal(body.total, '20.00');
  });

  it('has nothing where lines are left that add up to nothing', async () => {
    const invoice = await anInvoice();
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '50' }];
    assert.equal((await credit(invoice, { lines })).status, 201);
    assertRefused(await credit(invoice, { lines: 'all' }), { code: 'conflict', reason: 'invalid_state' });
  });

  it('has an e-invoice whose line below zero is -1 at its amount', async () => {
    const invoice = await issue({ charges: [FEE], items: [{ unit_amount: '-40.00' }] });
    const { body } = await credit(invoice, { lines: 'all' });
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    const received = await fetch(`${stack().api_url}/v1/credit-notes/${body.id}.xml`, { headers });
    const text = await received.text();
    assert.equal(received.status, 200, text);
    assert.deepEqual(
      elementsAt(parseXml(Buffer.from(text)), 'cac:CreditNoteLine').map((line) => [
        ...textsAt(line, 'cbc:CreditedQuantity'),
        ...textsAt(line, 'cac:Price/cbc:PriceAmount'),
        ...textsAt(line, 'cbc:LineExtensionAmount'),
      ]),
      [
        ['1', '90.00', '90.00'],
        ['-1', '40.00', '-40.00'],
      ],
    );
  });

  it('is asked for by a word, and by no other', async () => {
    const invoice = await anInvoice();
    for (const lines of ['ALL', 'everything', '', 1, {}])
      assertRefused(await credit(invoice, { lines }), { code: 'invalid_request', param: 'lines' });
    for (const lines of [['all'], [{ line_item_id: 'x' }, 'all']])
      assert.equal((await credit(invoice, { lines })).status, 400, JSON.stringify(lines));
    assertRefused(await credit(invoice, {}), { code: 'invalid_request', param: 'lines', reason: 'missing' });
    assert.deepEqual(await read(`/v1/invoices/${invoice.id}`), invoice);
  });
});
