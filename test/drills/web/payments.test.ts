import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { parse } from 'csv-parse/sync';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, choose, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const PAYMENTS = 52;

/** The list of payments, for people who compare it with the statement of the bank. */
describe('payments in a browser', function () {
  const stack = useStack();
  const { advance, customer, done, plan, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let invoice: Json;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const rows = () => page().getByRole('region', { name: 'Payments, newest first' }).getByRole('row');
  const rowOf = (name: string) => rows().filter({ hasText: name });
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('are an entry of the navigation, and say where to record the first one', async () => {
    await page().getByRole('link', { name: 'Payments', exact: true }).click();
    await page().getByRole('heading', { name: 'Payments', level: 1 }).waitFor();
    await page().getByText('No payments yet').waitFor();
    await assertFits(page(), 'payments-none');
  });

  it('show whose they are, what for, who recorded them, and which are reversed', async () => {
    const acme = await customer({ name: 'Acme, Inc.' });
    await subscribe(acme, await plan([FLAT]));
    [invoice] = await advance(acme, at('02-01'));
    await done(`/v1/invoices/${invoice.id}/payments`, { reference: 'SEPA 1', paid_at: at('01-20') });
    const other = await customer({ name: 'Zebra' });
    await done(`/v1/customers/${other}/payments`, { amount: '5', reference: 'SEPA 2', paid_at: at('01-01') });
    await visit(`/customers/${other}`);
    await button('Record a payment').click();
    await dialog().getByLabel('Amount in USD').fill('7');
    await dialog().getByLabel('Reference').fill('by hand');
    await dialog().getByRole('button', { name: 'Record a payment' }).click();
    await rowOf('by hand').getByText('Owner').waitFor();
    await visit('/payments');
    await rowOf('SEPA 1').getByRole('link', { name: 'Acme, Inc.' }).waitFor();
    await rowOf('SEPA 1').getByRole('link', { name: invoice.number }).waitFor();
    await rowOf('SEPA 1').getByText('Created at the first start').waitFor();
    await rowOf('by hand').getByText('the balance').waitFor();
    await rowOf('by hand').getByRole('button', { name: 'Reverse' }).click();
    await dialog().getByLabel('Reason').fill('bounced');
    await dialog().getByRole('button', { name: 'Reverse payment' }).click();
    await rowOf('by hand').getByText('reversed').waitFor();
    await rowOf('by hand').getByText('bounced').waitFor();
    await assertFits(page(), 'payments');
  });

  it('are found by customer, reference and days, and the file has what is found', async () => {
    const only = async (reference: string) => {
      // Beside the heading.
      await rows().nth(2).waitFor({ state: 'detached' });
      await rowOf(reference).waitFor();
    };
    await choose(page(), 'Customer', 'acme');
    await button('Filter').click();
    await only('SEPA 1');
    await button('Show all').click();
    await rowOf('SEPA 2').waitFor();
    await page().getByLabel('Reference').fill('SEPA 2');
    await button('Filter').click();
    await only('SEPA 2');
    await button('Show all').click();
    await rowOf('SEPA 1').waitFor();
    for (const name of ['Paid from (UTC)', 'To, inclusive'])
      await page().getByLabel(name).fill(at('01-20').slice(0, 10));
    await button('Filter').click();
    await only('SEPA 1');
    const downloading = page().waitForEvent('download');
    await button('Export CSV').click();
    const file = await downloading;
    const found: Json[] = parse(await text(await file.createReadStream()), { columns: true });
    assert.equal(file.suggestedFilename(), 'payments.csv');
    assert.deepEqual(
      found.map(({ reference, invoice_id, amount }) => [reference, invoice_id, amount]),
      [['SEPA 1', invoice.id, '49.00']],
    );
    await page().getByLabel('Reference').fill('sepa');
    await button('Filter').click();
    await page().getByText('No matching payments').waitFor();
  });

  it('come page by page', async () => {
    const payer = await customer({ name: 'Payer' });
    for (let made = 1; made <= PAYMENTS; made++)
      await done(`/v1/customers/${payer}/payments`, { amount: '1', reference: `transfer ${made}` });
    await visit('/payments');
    await rowOf(`transfer ${PAYMENTS}`).waitFor();
    assert.equal(await rowOf('by hand').count(), 0);
    await button('Older →').click();
    await rowOf('by hand').waitFor();
    assert.equal(await rows().count(), PAYMENTS + 3 - 50 + 1);
    await button('← Newer').click();
    await rowOf(`transfer ${PAYMENTS}`).waitFor();
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
