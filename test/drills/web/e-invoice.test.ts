import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import type { Json } from '../../support/servers/api.ts';
import { useBrowser, type Window } from '../../support/servers/browser.ts';
import { AUSTRIAN_VAT_ID, GERMAN_VAT_ID, HAMBURG, VIENNA } from '../../support/documents/e-document.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { parseXml, textsAt } from '../../support/documents/xml.ts';

describe('the e-invoice on the page of an invoice', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, subscribe } = testCustomersOn(request);
  const openWindow = useBrowser();
  let window: Window;
  let invoice: Json;
  const page = (): Page => window.page;
  const click = () => page().getByRole('button', { name: 'E-invoice (XML)' }).click();
  const open = ({ id }: Json) => page().goto(`${stack().api_url}/invoices/${id}?mode=test`);

  before(async () => {
    window = await openWindow();
    const customer_id = await customer({ name: 'Acme' });
    await subscribe(customer_id, await plan([FLAT]));
    [invoice] = await advance(customer_id, at('02-01'));
    await page().goto((await newSignInLink(stack().pool, `${stack().api_url}/`))!);
    await page().getByText('Getting started').first().waitFor();
  });

  it('says what is missing, with links to the places where it is entered', async () => {
    await open(invoice);
    await click();
    const notice = page().getByRole('alert');
    await notice.getByText('seller.tax_ids is missing').waitFor();
    for (const field of ['seller.address', 'customer.address'])
      assert.ok(await notice.getByText(`${field} is missing`).first().isVisible(), field);
    const settings = notice.getByRole('link', { name: 'account settings' });
    assert.match((await settings.getAttribute('href'))!, /^\/settings\/account\b/);
    await notice.getByRole('link', { name: 'Acme' }).click();
    await page().waitForURL(`**/customers/${invoice.customer_id}?mode=test`);
  });

  it('is downloaded once seller and customer are complete and the invoice is regenerated', async () => {
    const { customer_id } = invoice;
    const changes = [
      ['/v1/account', { address: HAMBURG, tax_ids: [GERMAN_VAT_ID] }],
      [`/v1/customers/${customer_id}`, { address: VIENNA, tax_ids: [AUSTRIAN_VAT_ID] }],
    ] as const;
    for (const [path, body] of changes)
      assert.equal((await request(path, { method: 'PATCH', body })).status, 200);
    const made = await done(`/v1/invoices/${invoice.id}/regenerate`);
    await open(made);
    const downloading = page().waitForEvent('download');
    await click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), `${made.number}.xml`);
    const root = parseXml(await buffer(await download.createReadStream()));
    assert.deepEqual(textsAt(root, 'cbc:ID'), [made.number]);
  });

  it('is not offered for a void invoice', async () => {
    await open(invoice);
    await page().getByText('This invoice is void and must not be paid.').waitFor();
    assert.equal(await page().getByRole('button', { name: 'PDF' }).count(), 1);
    assert.equal(await page().getByRole('button', { name: 'E-invoice (XML)' }).count(), 0);
  });
});
