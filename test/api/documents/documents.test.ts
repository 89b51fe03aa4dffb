import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { pagesOf, usePoppler } from '../../support/documents/pdf.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** billing.md 7. */
describe('documents', function () {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const { done, read, customer, subscribe, plan, use, advance } = testCustomersOn(request);

  /** The invoice of January: 49.00 and three calls at 1.00. */
  async function january(parts: object, charges: object[] = [FLAT, PER_UNIT]): Promise<Json> {
    const customer_id = await customer(parts);
    await subscribe(customer_id, await plan(charges));
    await use(customer_id, [{}, {}, {}]);
    const [invoice] = await advance(customer_id, at('02-01'));
    return invoice;
  }

  const bytesOf = async ({ id }: Json): Promise<Buffer> => {
    const { test_key, api_url } = stack();
    const answer = await fetch(`${api_url}/v1/invoices/${id}.pdf`, {
      headers: { Authorization: `Bearer ${test_key}` },
    });
    return Buffer.from(await answer.arrayBuffer());
  };
  const wordsOf = async (invoice: Json) => (await pagesOf(await bytesOf(invoice))).flat().join('\n');

  const TREATMENTS = [
    ['exempt', 'Exempt from VAT'],
    ['reverse_charge', 'Reverse charge: VAT is to be accounted for by the recipient'],
  ] as const;
  for (const [tax_treatment, note] of TREATMENTS)
    it(`${tax_treatment} has no tax, and says why`, async () => {
      const invoice = await january({ tax_rate: '20', tax_treatment });
      assert.deepEqual(invoice.tax, { rate: '0', amount: '0.00', treatment: tax_treatment, note });
      assert.equal(invoice.total, '52.00');
      assert.ok((await wordsOf(invoice)).includes(`${note}.`));
    });

  it('are due net_days after the issue, and overdue once that day is over', async () => {
    const { id, customer_id, due_date } = await january({ net_days: 14 });
    const year = at('01-01').slice(0, 4);
    assert.equal(due_date, `${year}-02-15`);
    const overdueAt = async (instant: string) => {
      await advance(customer_id, instant);
      return (await read(`/v1/invoices/${id}`)).overdue;
    };
    assert.equal(await overdueAt(at('02-15T23:59:59.999')), false);
    assert.equal(await overdueAt(at('02-16')), true);
    await done(`/v1/invoices/${id}/pay`, {});
    assert.equal((await read(`/v1/invoices/${id}`)).overdue, false);
  });

  it('show the parts of an address, tax ids and the reference of the buyer', async () => {
    const invoice = await january({
      name: 'Acme Ltd',
      address: { line1: 'High Street 1', postal_code: 'EC1A 1AA', city: 'London', country: 'GB' },
      tax_ids: [{ type: 'gb_vat', value: 'GB980780684' }],
      buyer_reference: 'PO 4711',
    });
    const words = await wordsOf(invoice);
    for (const part of [
      'High Street 1',
      'EC1A 1AA London',
      'United Kingdom',
      'VAT number GB980780684',
      'PO 4711',
    ])
      assert.ok(words.includes(part), `${part} in ${words}`);
  });

  it('that are issued do not change, whatever is changed in account and customer', async () => {
    const invoice = await january({ tax_rate: '19' });
    const before = await bytesOf(invoice);
    const patch = (path: string, body: object) => request(path, { method: 'PATCH', body });
    const account = (await request('/v1/account')).body;
    const changes = {
      ...{ name: 'Heirs', tax_rate: '7', timezone: 'Asia/Tokyo', net_days: 30, invoice_prefix: 'RE-' },
      ...{ invoice_footer: 'Payable at once.', hide_zero_lines: true },
      address: { line1: 'Elsewhere 2', country: 'JP' },
      tax_ids: [{ type: 'other', value: '12' }],
    };
    assert.equal((await patch('/v1/account', changes)).status, 200);
    const party = {
      ...{
        name: 'Bought',
        email: 'a@b.example',
        tax_treatment: 'exempt',
        buyer_reference: 'PO',
        net_days: 5,
      },
      ...{ timezone: 'Asia/Tokyo', address: { country: 'JP' }, tax_ids: [{ type: 'other', value: '1' }] },
    };
    assert.equal((await patch(`/v1/customers/${invoice.customer_id}`, party)).status, 200);
    assert.deepEqual(await read(`/v1/invoices/${invoice.id}`), invoice);
    assert.ok(before.equals(await bytesOf(invoice)));
    const { name, tax_rate, timezone, net_days, invoice_prefix, invoice_footer, hide_zero_lines } = account;
    const { address, tax_ids } = account;
    await patch('/v1/account', {
      ...{
        name,
        tax_rate,
        timezone,
        net_days,
        invoice_prefix,
        invoice_footer,
        hide_zero_lines,
        address,
        tax_ids,
      },
    });
  });

  it('leave out lines of zero on paper if the account says so: forty of them are one page', async () => {
    await request('/v1/account', { method: 'PATCH', body: { hide_zero_lines: true } });
    const zero = Array.from({ length: 40 }, (_, index) => ({ ...PER_UNIT, event_name: `unused ${index}` }));
    const invoice = await january({}, [PER_UNIT, ...zero]);
    await request('/v1/account', { method: 'PATCH', body: { hide_zero_lines: false } });
    assert.equal(invoice.line_items.length, 41);
    const pages = await pagesOf(await bytesOf(invoice));
    assert.equal(pages.length, 1);
    assert.ok(!pages.flat().join('\n').includes('Unused'));
    const printed = await january({}, [PER_UNIT, ...zero]);
    assert.ok((await pagesOf(await bytesOf(printed))).length > 1);
  });
});
