import assert from 'node:assert/strict';
import { BUYER } from '../../e-invoice/situations.ts';
import type { Json } from '../../support/servers/api.ts';
import { GERMAN_VAT_ID, HAMBURG } from '../../support/documents/e-document.ts';
import { CALLS, fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { pagesOf, usePoppler } from '../../support/documents/pdf.ts';
import { tokenOf } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { elementsAt, parseXml, textsAt } from '../../support/documents/xml.ts';

const RENT = { ...FLAT, flat_amount: '62.00' };
const [FIRST, SECOND] = ['from 1 to 15 April', 'from 16 to 30 April'];
const OF_APRIL = 'a part of the period from 1 to 30 April';

/** billing.md 9, *Quantity and price*. */
describe('a part of a fee', () => {
  usePoppler();
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { advance, customer, done, plan, subscribe } = customers;
  const { aLife, anEmptyLife, change, invoicesOf } = feeLivesOn(customers);

  before(() =>
    request('/v1/account', { method: 'PATCH', body: { address: HAMBURG, tax_ids: [GERMAN_VAT_ID] } }),
  );

  const fileOf = async ({ id }: Json, kind: 'pdf' | 'xml', key = stack().test_key) => {
    const received = await fetch(`${stack().api_url}/v1/invoices/${id}.${kind}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(received.status, 200);
    return Buffer.from(await received.arrayBuffer());
  };
  /** Quantity, unit price and amount of the lines of the PDF that have a price, without the descriptions. */
  const printed = async (invoice: Json) =>
    (await pagesOf(await fileOf(invoice, 'pdf')))
      .flat()
      .flatMap((line) => /(?:^|\| )(1 \| [\d.]+ \| [\d.]+)$/.exec(line)?.[1] ?? []);
  const structured = async (invoice: Json) =>
    elementsAt(parseXml(await fileOf(invoice, 'xml')), 'cac:InvoiceLine').map((line) =>
      ['cbc:InvoicedQuantity', 'cac:Price/cbc:PriceAmount', 'cbc:LineExtensionAmount']
        .map((path) => textsAt(line, path)[0])
        .join(' | '),
    );

  /** A customer with a subscription to the rent in arrears. */
  async function aTenant() {
    const id = await customer(BUYER, at('04-01'));
    const subscription = await subscribe(id, await plan([RENT]));
    await advance(id, at('04-16'));
    return { id, subscription_id: subscription.id as string };
  }

  /** Lines as "description without the year: amount", in the order of the invoice. */
  type Part = [why: string, invoice: () => Promise<Json>, lines: [description: string, amount: string][]];
  const PARTS: Part[] = [
    [
      'in arrears, ended on the 16th',
      async () => {
        const { id, subscription_id } = await aTenant();
        await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
        await advance(id, at('04-17'));
        return (await invoicesOf(id))[0]!;
      },
      [[`31.00 of 62.00, ${FIRST}, ${OF_APRIL}`, '31.00']],
    ],
    [
      'in arrears, after a cut on the 16th',
      async () => {
        const { id, subscription_id } = await aTenant();
        await done('/v1/invoices/generate', { subscription_id, close_now: true });
        return (await advance(id, at('05-01')))[0]!;
      },
      [[`31.00 of 62.00, ${SECOND}, ${OF_APRIL}`, '31.00']],
    ],
    [
      'in arrears, of a cut part that is billed again',
      async () => {
        const { id, subscription_id } = await aTenant();
        const { data } = await done('/v1/invoices/generate', { subscription_id, close_now: true });
        await done(`/v1/invoices/${data[0].id}/void`);
        await advance(id, at('05-01'));
        return (await done('/v1/invoices/generate', { subscription_id })).data[0];
      },
      [[`31.00 of 62.00, ${FIRST}, ${OF_APRIL}`, '31.00']],
    ],
    [
      'in advance, on the opening of a short period',
      async () => {
        const id = await customer(BUYER, at('04-16'));
        await subscribe(id, await plan([fee('62.00')]), { billing_anchor: at('05-01') });
        await advance(id, at('04-17'));
        return (await invoicesOf(id))[0]!;
      },
      [[`31.00 of 62.00, ${SECOND}, ${OF_APRIL}`, '31.00']],
    ],
    [
      'in advance, of the plan that comes on the 16th',
      async () => {
        const { id, subscription_id } = await anEmptyLife();
        await request(`/v1/customers/${id}`, { method: 'PATCH', body: BUYER });
        await advance(id, at('04-16'));
        await change(subscription_id, { plan_id: await plan([fee('62.00'), CALLS]), at: 'now' });
        await advance(id, at('04-17'));
        return (await invoicesOf(id)).at(-1)!;
      },
      [[`31.00 of 62.00, ${SECOND}, ${OF_APRIL}`, '31.00']],
    ],
    [
      'in advance, up to a change that is set',
      async () => (await withChangeSet()).home,
      [['96.29 of 199.00, from 1 to 15 May, a part of the period from 1 to 31 May', '96.29']],
    ],
    [
      'in advance, and the rest of it once the change is taken back',
      async () => {
        const { id, subscription_id } = await withChangeSet();
        await request(`/v1/subscriptions/${subscription_id}/change`, { method: 'DELETE' });
        return (await advance(id, at('06-01')))[0]!;
      },
      [
        ['from 1 to 30 June', '199.00'],
        ['102.71 of 199.00, from 1 to 31 May', '102.71'],
      ],
    ],
  ];

  async function withChangeSet() {
    const { id, subscription_id } = await aLife([fee('199.00')], '04-01', BUYER);
    await change(subscription_id, { plan_id: await plan([fee('49.00')]), at: at('05-16') });
    return { id, subscription_id, home: (await advance(id, at('05-02')))[0]! };
  }

  for (const [why, make, lines] of PARTS)
    it(`multiplies on paper and in the e-invoice, and says of what it is a part: ${why}`, async () => {
      const invoice = await make();
      const fees = invoice.line_items.filter(({ type }: Json) => type === 'flat');
      assert.deepEqual(
        fees.map(({ description, amount }: Json) => [description.replaceAll(/ \d{4}/g, ''), amount]),
        lines.map(([words, amount]) => [`Fixed fee for platform, ${words}`, amount]),
      );
      const rows = lines.map(([, amount]) => `1 | ${amount} | ${amount}`);
      assert.deepEqual(await printed(invoice), rows);
      assert.deepEqual((await structured(invoice)).slice(-rows.length), rows);
    });

  it('is the same on the paper and in the words that a portal link gets', async () => {
    const { id, subscription_id } = await aTenant();
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await advance(id, at('04-17'));
    const [invoice] = await invoicesOf(id);
    const { url } = await done('/v1/portal-sessions', { customer_id: id });
    const read = await request(`/v1/invoices/${invoice!.id}`, { key: tokenOf(url) });
    assert.deepEqual(read.body.line_items, invoice!.line_items);
    assert.deepEqual(await fileOf(invoice!, 'pdf', tokenOf(url)), await fileOf(invoice!, 'pdf'));
  });
});
