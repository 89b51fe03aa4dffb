import assert from 'node:assert/strict';
import type { Json, Received } from '../../support/servers/api.ts';
import { pagesOf } from '../../support/documents/pdf.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 4, billing.md 7. */
describe('credit notes', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { get, post, done, read, customer, subscribe, plan, advance } = testCustomersOn(request);

  /** An open invoice with a flat line for each amount. */
  async function anInvoice(
    amounts = ['68.33', '68.33', '57.50', '85.00'],
    parts: object = {},
  ): Promise<Json> {
    const customer_id = await customer({ tax_rate: '20', name: 'Acme', ...parts });
    const charges = amounts.map((flat_amount, place) => ({
      ...{ event_name: `fee_${place}`, name: `Fee ${place}`, pricing_model: 'flat', flat_amount },
    }));
    await subscribe(customer_id, await plan(charges));
    const [invoice] = await advance(customer_id, at('02-01'));
    return invoice;
  }

  const credit = (invoice: Json, lines: readonly Json[], parts: object = {}): Promise<Received> =>
    post(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage', ...parts });
  const line = (invoice: Json, place: number, amount?: string): Json => ({
    line_item_id: invoice.line_items[place].id,
    ...(amount === undefined ? {} : { amount }),
  });
  const owedOf = async ({ id }: Json) => {
    const { status, amount_due, amount_paid, balance_applied, credited } = await read(`/v1/invoices/${id}`);
    return [status, amount_due, amount_paid, balance_applied, credited];
  };
  const balanceOf = async ({ customer_id }: Json) => (await read(`/v1/customers/${customer_id}`)).balance;

  it('of a paid invoice, a line each: 82.00, 81.99, 69.00, 102.00 go to the balance', async () => {
    const invoice = await anInvoice();
    assert.equal(invoice.total, '334.99');
    await done(`/v1/invoices/${invoice.id}/pay`);
    const notes = [];
    for (const place of [0, 1, 2, 3]) notes.push((await credit(invoice, [line(invoice, place)])).body);
    assert.deepEqual(
      notes.map(({ total, to_invoice, to_balance, outside }) => [total, to_invoice, to_balance, outside]),
      ['82.00', '81.99', '69.00', '102.00'].map((total) => [total, '0.00', total, '0.00']),
    );
    assert.equal(await balanceOf(invoice), '334.99');
    assert.deepEqual(await owedOf(invoice), ['paid', '0.00', '334.99', '0.00', '0.00']);
    const numbers = notes.map(({ number }) => Number(/^CN-(\d{6})$/.exec(number)![1]));
    assert.deepEqual(
      numbers,
      [0, 1, 2, 3].map((place) => numbers[0]! + place),
    );
    const listed = await read(`/v1/credit-notes?invoice_id=${invoice.id}`);
    assert.deepEqual(listed.data, notes.toReversed());
    assert.deepEqual(
      (await read(`/v1/invoices/${invoice.id}`)).credit_notes,
      notes.map(({ id, number, status, automatic, total }) => ({ id, number, status, automatic, total })),
    );
    assertRefused(await credit(invoice, [line(invoice, 0)]), { code: 'conflict', reason: 'invalid_state' });
  });

  it('reduces what is due first; the object is complete, and a preview stores nothing', async () => {
    const invoice = await anInvoice(['100.00']);
    await done(`/v1/invoices/${invoice.id}/payments`, { amount: '70.00' });
    const lines = [line(invoice, 0, '75')];
    const before = await read(`/v1/invoices/${invoice.id}`);
    const preview = await credit(invoice, lines, { dry_run: true, settle: 'outside' });
    assert.equal(preview.status, 200);
    assert.deepEqual(await read(`/v1/invoices/${invoice.id}`), before);
    const made = await credit(invoice, lines, { settle: 'outside' });
    assert.equal(made.status, 201);
    const { id, number, created_by, ...note } = made.body;
    assert.match(id, /^cn_/);
    const amounts = {
      lines: [{ ...line(invoice, 0), description: invoice.line_items[0].description, amount: '75.00' }],
      subtotal: '75.00',
      tax: { rate: '20', amount: '15.00', treatment: 'standard', note: null },
      total: '90.00',
      ...{ to_invoice: '50.00', to_balance: '0.00', outside: '40.00' },
    };
    const of_invoice = { invoice_id: invoice.id, customer_id: invoice.customer_id, currency: 'USD' };
    assert.deepEqual(preview.body, {
      object: 'credit_note_preview',
      livemode: false,
      ...of_invoice,
      ...amounts,
    });
    assert.deepEqual(note, {
      object: 'credit_note',
      livemode: false,
      created_at: at('02-01'),
      status: 'issued',
      automatic: false,
      ...of_invoice,
      ...{ invoice_number: invoice.number, timezone: 'UTC' },
      ...amounts,
      reason: 'Outage',
      issued_at: at('02-01'),
      sent_at: null,
      ...{ voided_at: null, void_reason: null, voided_by: null },
      ...{ seller: invoice.seller, customer: invoice.customer },
    });
    assert.match(created_by, /^key_/);
    assert.deepEqual(await read(made.headers.get('location')!), made.body);
    assert.deepEqual(await owedOf(invoice), ['paid', '0.00', '70.00', '0.00', '50.00']);
    assert.equal(await balanceOf(invoice), '0.00');
    const printed = await pdfOf(`/v1/credit-notes/${id}.pdf`);
    await request('/v1/account', {
      method: 'PATCH',
      body: { name: 'Other seller', invoice_footer: 'Other' },
    });
    await request(`/v1/customers/${invoice.customer_id}`, {
      method: 'PATCH',
      body: { name: 'Heirs', tax_rate: '7' },
    });
    assert.ok(printed.equals(await pdfOf(`/v1/credit-notes/${id}.pdf`)));
    assert.deepEqual(await read(`/v1/credit-notes/${id}`), made.body);
    const text = (await pagesOf(await pdfOf(`/v1/credit-notes/${id}.pdf`))).flat().join(' ');
    for (const word of [
      'Credit note',
      number,
      invoice.number,
      'Outage',
      '75.00',
      '15.00 USD',
      '90.00 USD',
      '40.00 USD',
    ])
      assert.ok(text.includes(word), `${word} in ${text}`);
  });

  async function pdfOf(path: string): Promise<Buffer> {
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    return Buffer.from(await (await fetch(stack().api_url + path, { headers })).arrayBuffer());
  }

  it('that is voided: its amount is due again, and its balance is taken back while it is there', async () => {
    const invoice = await anInvoice(['100.00']);
    await done(`/v1/invoices/${invoice.id}/payments`, { amount: '70.00' });
    const { body: note } = await credit(invoice, [line(invoice, 0)]);
    assert.deepEqual([note.to_invoice, note.to_balance], ['50.00', '70.00']);
    await done(`/v1/customers/${invoice.customer_id}/balance-adjustments`, {
      amount: '-1',
      reason: 'Payout',
    });
    const path = `/v1/credit-notes/${note.id}/void`;
    assertRefused(await post(path, {}), { code: 'conflict', reason: 'invalid_state' });
    assert.deepEqual(await read(`/v1/credit-notes/${note.id}`), note);
    await done(`/v1/customers/${invoice.customer_id}/balance-adjustments`, {
      amount: '1',
      reason: 'Mistake',
    });
    const printed = await pdfOf(`/v1/credit-notes/${note.id}.pdf`);
    const voided = await done(path, { reason: 'No outage' });
    assert.deepEqual(
      [voided.status, voided.voided_at, voided.void_reason, voided.voided_by],
      ['void', at('02-01'), 'No outage', note.created_by],
    );
    assert.deepEqual(await owedOf(invoice), ['open', '50.00', '70.00', '0.00', '0.00']);
    assert.equal(await balanceOf(invoice), '0.00');
    assert.notDeepEqual(await pdfOf(`/v1/credit-notes/${note.id}.pdf`), printed);
    assertRefused(await post(path, {}), { code: 'conflict', reason: 'invalid_state' });
    const { body: again } = await credit(invoice, [line(invoice, 0)]);
    assert.deepEqual([again.total, again.to_invoice], ['120.00', '50.00']);
  });

  it('stand in the way of void and regenerate, until they are void', async () => {
    const invoice = await anInvoice(['100.00']);
    const { body: note } = await credit(invoice, [line(invoice, 0, '1')]);
    for (const act of ['void', 'regenerate']) {
      const refused = await post(`/v1/invoices/${invoice.id}/${act}`, {});
      assert.deepEqual(
        [refused.status, ...refused.body.error.details.map(({ reason }: Json) => reason)],
        [409, 'invalid_state', 'has_credit_notes'],
      );
    }
    await done(`/v1/credit-notes/${note.id}/void`);
    assert.equal((await done(`/v1/invoices/${invoice.id}/void`)).status, 'void');
    assertRefused(await credit(invoice, [line(invoice, 0)]), { code: 'conflict', reason: 'invalid_state' });
  });

  it('ten equal requests at once have one effect, and numbers have no gap after refusals', async () => {
    const invoice = await anInvoice(['100.00']);
    const answers = await Promise.all(Array.from({ length: 10 }, () => credit(invoice, [line(invoice, 0)])));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
    const headers = { 'Idempotency-Key': 'one-key-for-ten-requests' };
    const other = await anInvoice(['100.00']);
    const path = `/v1/invoices/${other.id}/credit-notes`;
    const body = { lines: [line(other, 0, '10')], reason: 'Outage' };
    const first = await post(path, body, { headers });
    const again = await post(path, body, { headers });
    assert.deepEqual([first.status, again.body], [201, first.body]);
    assert.deepEqual(await owedOf(other), ['open', '108.00', '0.00', '0.00', '12.00']);
  });

  it('are listed by customer, status and day', async () => {
    const invoice = await anInvoice(['100.00']);
    const { body: a } = await credit(invoice, [line(invoice, 0, '1')]);
    const { body: b } = await credit(invoice, [line(invoice, 0, '1')]);
    const voided = await done(`/v1/credit-notes/${a.id}/void`);
    const listed = async (query: string) => (await read(`/v1/credit-notes?${query}`)).data;
    assert.deepEqual(await listed(`customer_id=${invoice.customer_id}`), [b, voided]);
    assert.deepEqual(await listed(`customer_id=${invoice.customer_id}&status=void`), [voided]);
    assert.deepEqual(await listed(`invoice_id=${invoice.id}&from=${at('02-01')}&to=${at('02-02')}`), [
      b,
      voided,
    ]);
    assert.deepEqual(await listed(`invoice_id=${invoice.id}&to=${at('02-01')}`), []);
    assert.deepEqual(await listed('customer_id=nobody'), []);
  });

  it('that are wrong are refused, and nothing is stored', async () => {
    const invoice = await anInvoice(['100.00']);
    const other = await anInvoice(['100.00']);
    const REFUSED: [body: Json, status: number, param: string][] = [
      [{ lines: [line(invoice, 0, '100.01')] }, 409, 'lines[0].amount'],
      [{ lines: [line(other, 0)] }, 404, 'lines[0].line_item_id'],
      [{ lines: [line(invoice, 0, '1'), line(invoice, 0, '1')] }, 400, 'lines[1].line_item_id'],
      [{ lines: [line(invoice, 0, '0.001')] }, 400, 'lines[0].amount'],
      [{ lines: [line(invoice, 0, '0')] }, 400, 'lines[0].amount'],
      [{ lines: [line(invoice, 0, '-1')] }, 400, 'lines[0].amount'],
      [{ lines: [] }, 400, 'lines'],
      [{ lines: [line(invoice, 0)], settle: 'cash' }, 400, 'settle'],
      [{ lines: [line(invoice, 0)], reason: ' ' }, 400, 'reason'],
      [{ lines: [line(invoice, 0)], currency: 'EUR' }, 400, 'currency'],
    ];
    for (const [body, status, param] of REFUSED) {
      const refused = await credit(invoice, body.lines, body);
      assert.deepEqual([refused.status, refused.body.error.param], [status, param], JSON.stringify(body));
    }
    assert.deepEqual(await read(`/v1/invoices/${invoice.id}`), invoice);
    for (const path of [
      '/v1/credit-notes/cn_01kgbtzk40f259hrnywwde1ktz',
      '/v1/credit-notes/x',
      '/v1/credit-notes/x.pdf',
    ])
      assert.equal((await get(path)).status, 404);
    assert.equal(
      (
        await post('/v1/invoices/inv_01kgbtzk40f259hrnywwde1ktz/credit-notes', {
          lines: [line(invoice, 0)],
          reason: 'x',
        })
      ).status,
      404,
    );
    const { body: note } = await credit(invoice, [line(invoice, 0, '1')]);
    const live = { key: stack().live_key };
    assert.equal((await get(`/v1/credit-notes/${note.id}`, live)).status, 404);
    assert.equal((await post(`/v1/credit-notes/${note.id}/void`, {}, live)).status, 404);
  });
});
