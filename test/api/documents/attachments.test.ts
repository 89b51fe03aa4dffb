import assert from 'node:assert/strict';
import { attachmentsOf, type Attachment } from '../../../src/documents/attachments.ts';
import type { EmailKind } from '../../../src/domain/email/kind.ts';
import { BUYER, issuerOn, SITUATIONS } from '../../e-invoice/situations.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

const BOTH = ['pdf', 'xml'];

describe('the files of an email', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const issue = issuerOn(request, customers);
  const { advance, customer, done, plan, read, subscribe } = customers;

  async function filesOf(
    kind: EmailKind,
    object_id: string,
    formats: readonly string[],
  ): Promise<Attachment[]> {
    const { pool } = stack();
    const { rows } = await pool.query<{ id: number }>(
      `select n.id from environments n join customers c on c.environment_id = n.id limit 1`,
    );
    return attachmentsOf(pool, rows[0]!.id, { kind, object_id, formats });
  }
  const served = async (path: string) => {
    const headers = { Authorization: `Bearer ${stack().test_key}` };
    return Buffer.from(await (await fetch(`${stack().api_url}/v1/${path}`, { headers })).arrayBuffer());
  };

  it('of an invoice are the PDF and the e-invoice that the API has, named by its number', async () => {
    await request('/v1/account', { method: 'PATCH', body: { invoice_prefix: 'INV/' } });
    const { id, number } = await issue(SITUATIONS['standard rate']);
    assert.match(number, /^INV\/\d+$/);
    const name = number.replace('/', '-');
    const files = await filesOf('invoice', id, BOTH);
    assert.deepEqual(
      files.map(({ filename, content_type, error }) => [filename, content_type, error]),
      [
        [`${name}.pdf`, 'application/pdf', null],
        [`${name}.xml`, 'application/xml', null],
      ],
    );
    for (const [place, path] of [`invoices/${id}.pdf`, `invoices/${id}.xml`].entries())
      assert.ok(files[place]!.content!.equals(await served(path)), path);
    assert.deepEqual(
      (await filesOf('invoice', id, ['xml'])).map(({ filename }) => filename),
      [`${name}.xml`],
    );
    assert.deepEqual(await filesOf('invoice', id, []), []);
  });

  it('leave out an e-invoice that lacks a field, and say which', async () => {
    const customer_id = await customer({ name: BUYER.name });
    await subscribe(customer_id, await plan([FLAT]));
    const [invoice] = await advance(customer_id, at('02-01'));
    const [pdf, xml, ...more] = await filesOf('invoice', invoice.id, BOTH);
    assert.deepEqual(more, []);
    assert.ok(pdf!.content!.length > 1000);
    assert.equal(xml!.content, null);
    assert.match(xml!.error!, /customer\.address/);
  });

  it('of a credit note and of a payment are those of the API; a receipt has no XML', async () => {
    const { id, line_items } = await issue(SITUATIONS['standard rate']);
    const payment = await done(`/v1/invoices/${id}/payments`, {});
    const note = await done(`/v1/invoices/${id}/credit-notes`, {
      lines: [{ line_item_id: line_items[0].id, amount: '1' }],
      reason: 'Goodwill',
    });
    const files = [
      ...(await filesOf('credit_note', note.id, BOTH)),
      ...(await filesOf('receipt', payment.id, BOTH)),
    ];
    const name = note.number.replaceAll('/', '-');
    assert.deepEqual(
      files.map(({ filename }) => filename),
      [`${name}.pdf`, `${name}.xml`, `receipt-${payment.id}.pdf`],
    );
    const paths = [
      `credit-notes/${note.id}.pdf`,
      `credit-notes/${note.id}.xml`,
      `payments/${payment.id}.pdf`,
    ];
    for (const [place, path] of paths.entries())
      assert.ok(files[place]!.content!.equals(await served(path)), path);
    assert.equal((await read(`/v1/payments/${payment.id}`)).reversed_at, null);
  });

  it('of an object that does not exist are none', async () => {
    for (const kind of ['invoice', 'credit_note', 'receipt'] as const)
      assert.deepEqual(await filesOf(kind, 'inv_01m7', BOTH), []);
  });
});
