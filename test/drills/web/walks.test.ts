import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { unzipSync } from 'fflate';
import type { Download, Page } from 'playwright-core';
import type { Role } from '../../../src/domain/people/role.ts';
import { readCsv } from '../../support/documents/csv.ts';
import { useBrowser, type Window } from '../../support/servers/browser.ts';
import type { Json, TestApi } from '../../support/servers/api.ts';
import { signIn, tokenOf, type SignedIn } from '../../support/servers/signed-in.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { transfersOn } from '../../support/ledger/transfers.ts';

const UNITS = { event_name: 'api_call', aggregation: { type: 'sum', property: 'units' } };
const CALLS = { ...UNITS, name: 'API calls', pricing_model: 'graduated', tiers: TIERS };
const YEAR = at('01-01').slice(0, 4);
const OCTOBER = `${YEAR}-10`;

/** The walks of docs/operations.md, *Four walks*: each person has only the role that its work needs. */
describe('a walk through the dashboard', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const given = testCustomersOn(request);
  const { advance, customer, done, plan, subscribe, use } = given;
  const { invoicesOf, owedOf, balanceOf } = transfersOn(given);
  const openWindow = useBrowser();
  let owner: SignedIn;
  /** Invoices of January and February, in USD. */
  let january: Json;
  let february: Json;

  before(async () => {
    const { pool, api_url: url } = stack();
    const post: TestApi['post'] = (path, body, sent) => request(path, { method: 'POST', body, ...sent });
    owner = await signIn({ pool, url, request, post });
    const footer = { invoice_footer: 'IBAN DE02 1203 0000 0000 2020 51' };
    await request('/v1/account', { method: 'PATCH', body: footer });
    const acme = await customer({ name: 'Acme', tax_rate: '20' });
    await subscribe(acme, await plan([CALLS, FLAT]));
    const units = (month: string, count: number) =>
      use(acme, [{ timestamp: at(`${month}-01T12:00`), properties: { units: count } }]);
    await units('01', 900);
    [january] = await advance(acme, at('02-01'));
    await units('01', 100);
    await units('02', 1001);
    [february] = await advance(acme, at('03-01'));
  });

  /** Invites a person of a role, and opens Home as the person. */
  async function arrive(name: string, role: Role): Promise<Window> {
    const person = { email: `${name.toLowerCase()}@example.com`, name, role };
    const { status, body } = await owner.post('/dashboard/api/users', person);
    assert.equal(status, 201, JSON.stringify(body));
    const window = await openWindow();
    const { page } = window;
    await page.goto(`${stack().api_url}/sign-in#${tokenOf(body.invite_url)}`);
    await page.getByText(`${name}, ${role}`).waitFor();
    await page.goto(`${stack().api_url}/?mode=test`);
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
    return window;
  }

  const goTo = (page: Page, place: string) =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: place, exact: true }).click();
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const isOffered = async (page: Page, name: string) =>
    (await page.getByRole('button', { name, exact: true }).count()) > 0;

  /** Presses a button that saves a file. The first PDF of a process loads the fonts. */
  async function saved(page: Page, button: string): Promise<Download> {
    const downloading = page.waitForEvent('download', { timeout: 60_000 });
    await press(page, button);
    return downloading;
  }

  const differences = (page: Page) => page.getByRole('list', { name: /^Differences from / });
  const bytesOf = async (file: Download) => new Uint8Array(await buffer(await file.createReadStream()));

  it('of support says why a bill is higher, and gives out the link to it', async () => {
    const { page, context, assertQuiet } = await arrive('Sue', 'support');
    const dialog = page.getByRole('dialog', { name: 'Portal links of Acme' });
    await page.getByLabel('Find', { exact: true }).fill(february.number);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: february.number, level: 1 }).waitFor();
    await page.getByText(`30.06 USD more than ${january.number} (January)`).click();
    await differences(page).getByText('usage +15.05, late usage +10.00').waitFor();
    await page.getByRole('button', { name: 'Copy as text' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(copied, /^- API calls: \+25\.05 USD \(usage \+15\.05, late usage \+10\.00\)$/m);
    await page.locator('.lines summary').filter({ hasText: 'API calls' }).first().click();
    await page.getByRole('link', { name: /evt_/ }).first().waitFor();
    for (const button of ['Record payment', 'Credit…']) assert.equal(await isOffered(page, button), false);
    await press(page, 'Portal link');
    await dialog.getByRole('button', { name: 'Make a link' }).click();
    await dialog.getByText(`/portal?invoice_id=${february.id}`).waitFor();
    assertQuiet();
    await context.close();
  });

  it('of finance reads what was booked and is owed, and books a transfer and the file of the bank', async () => {
    const euro = { currency: 'EUR', name: 'Blue' };
    const five = await invoicesOf(['10.00', '20.00', '30.00', '40.00', '50.00'], euro);
    const [other] = (await invoicesOf(['70.00'], { currency: 'EUR', name: 'Zebra' })) as [Json];
    const { page, context, assertQuiet } = await arrive('Fay', 'finance');
    const dialog = page.getByRole('dialog');
    await goTo(page, 'Revenue');
    await page.getByLabel('Currency').selectOption('EUR');
    await press(page, 'Filter');
    await page.getByRole('heading', { name: 'Booked in EUR' }).waitFor();
    const bars = page.locator('figure.chart').first().locator('a.bar');
    const words = await bars.locator('title').allTextContents();
    await bars.nth(words.indexOf(`Feb ${YEAR}: 220.00 EUR`)).click();
    await page.getByRole('link', { name: `${YEAR}-02-01`, exact: true }).click();
    for (const { number } of [...five, other])
      await page.getByRole('link', { name: number, exact: true }).waitFor();

    await goTo(page, 'Owed');
    await page.getByRole('heading', { name: '220.00 EUR owed' }).waitFor();
    await page.getByRole('link', { name: 'Blue', exact: true }).click();
    await press(page, 'Record a payment');
    for (const { number, total } of five) await dialog.getByLabel(`${number}: ${total} EUR`).check();
    await dialog.getByLabel('Amount in EUR').fill('160');
    await dialog.getByText('10.00 EUR to the balance', { exact: true }).waitFor();
    await dialog.getByLabel('Reference').fill('all five');
    await dialog.getByRole('button', { name: 'Record a payment' }).click();
    await dialog.waitFor({ state: 'hidden' });
    for (const invoice of five) assert.deepEqual(await owedOf(invoice), ['paid', '0.00']);
    assert.equal(await balanceOf(five[0]!.customer_id), '10.00');

    await goTo(page, 'Payments');
    await page.getByRole('link', { name: "Open a bank's file" }).click();
    const text = `Day;Amount;Currency;Text\n${YEAR}-02-05;70;EUR;Thanks ${other.number}\n`;
    const file = { name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.getByLabel('File of the bank').setInputFiles(file);
    const columns = { Day: 'Day', Amount: 'Amount', Currency: 'Currency', Reference: 'Text' };
    for (const [label, column] of Object.entries(columns))
      await page.getByLabel(label, { exact: true }).selectOption({ value: column });
    await press(page, 'Show the rows');
    await press(page, 'Book 1 transfer');
    await page.getByText('1 booked').waitFor();
    assert.deepEqual(await owedOf(other), ['paid', '0.00']);

    await goTo(page, 'Owed');
    await page.getByRole('heading', { name: '363.66 USD owed' }).waitFor();
    assert.equal(await page.getByRole('heading', { name: /EUR owed/ }).count(), 0);
    assertQuiet();
    await context.close();
  });

  it('of a bookkeeper goes from the first look at a month to its archive', async () => {
    const ocean = await customer({ name: 'Ocean', tax_rate: '19' }, at('09-01'));
    await subscribe(ocean, await plan([FLAT]));
    const [invoice] = await advance(ocean, at('10-01'));
    await advance(ocean, at('11-02'));
    const { page, context, assertQuiet } = await arrive('Ben', 'finance');
    const row = (name: RegExp) => page.getByRole('row', { name });
    await page.goto(`${stack().api_url}/settings/account?mode=test`);
    for (const [place, { account, number }] of [
      { account: 'receivable', number: '10000' },
      { account: 'revenue', number: '8400' },
    ].entries()) {
      await press(page, 'Add a number');
      const of_account = page.getByRole('group', { name: `Number ${place + 1}`, exact: true });
      await of_account.getByLabel('Account').selectOption(account);
      await of_account.getByLabel('Number').fill(number);
      if (account !== 'revenue') continue;
      await of_account.getByLabel('At a tax rate of').fill('19');
      await of_account.getByLabel('Tax key of DATEV').fill('3');
    }
    await page.getByLabel('Consultant number').fill('29098');
    await page.getByLabel('Client number').fill('55003');
    await page.getByLabel('First day of the fiscal year').fill('01-01');
    await page.getByLabel('Digits of account numbers').fill('4');
    await press(page, 'Update bookkeeping');
    await page.getByText('Updated.').waitFor();

    await goTo(page, 'Month end');
    await page.getByLabel('Month', { exact: true }).fill(OCTOBER);
    await press(page, 'Show');
    await row(/Drafts .* 0 –/).waitFor();
    await row(/USD Total 58\.31 USD 58\.31 USD/).waitFor();
    await row(/USD 58\.31 USD 58\.31 USD 0\.00 USD/).waitFor();
    const batch = await saved(page, 'DATEV');
    assert.equal(batch.suggestedFilename(), `EXTF_${OCTOBER}_USD.csv`);
    assert.match(Buffer.from(await bytesOf(batch)).toString('latin1'), /^58,31;"S";/m);

    await press(page, 'Close the month');
    const question = page.getByRole('dialog', { name: `Close the books of October ${YEAR}?` });
    await question.getByRole('button', { name: 'Close the month' }).click();
    await page.getByText(`October ${YEAR} is closed.`).waitFor();
    assert.equal(await isOffered(page, 'Open again'), false, 'an admin opens it');
    const files = unzipSync(await bytesOf(await saved(page, 'Download the archive')));
    const { rows } = readCsv(Buffer.from(files['index.csv']!).toString());
    for (const { path, sha256 } of rows)
      assert.equal(createHash('sha256').update(files[path!]!).digest('hex'), sha256, path);
    const paths = rows.map(({ path }) => path);
    for (const path of ['journal.csv', `invoices/${invoice.number}.pdf`, `EXTF_${OCTOBER}_USD.csv`])
      assert.ok(paths.includes(path), `${path} in ${paths.join(', ')}`);
    await page.goto(`${stack().api_url}/invoices/${invoice.id}?mode=test`);
    await page.getByText(`October ${YEAR} is closed: it is corrected by a credit note`).waitFor();
    assertQuiet();
    await context.close();
  });

  it('of a payer begins with how to pay, and ends with the PDF', async () => {
    await done(`/v1/invoices/${february.id}/payments`, { amount: '96.86' });
    const { url } = await done('/v1/portal-sessions', {
      customer_id: february.customer_id,
      invoice_id: february.id,
    });
    const { search, hash } = new URL(url);
    const { page, context, assertQuiet } = await openWindow();
    await page.goto(`${stack().api_url}/portal${search}${hash}`);
    await page.getByText('IBAN DE02').first().waitFor();
    assert.equal(await page.getByRole('heading', { level: 2 }).first().innerText(), 'How to pay');
    const document = page.getByRole('article', { name: `Invoice ${february.number}` });
    await document.getByText('100.00 USD').first().waitFor();
    await page.getByText(`30.06 USD more than ${january.number}`).click();
    await differences(page).getByText('usage +15.05, late usage +10.00').waitFor();
    await document.locator('summary').filter({ hasText: 'API calls' }).first().click();
    await document.getByText('Events of this line item', { exact: true }).waitFor();
    const payments = page.getByRole('region', { name: 'Payments, newest first' });
    await payments.getByRole('row').filter({ hasText: '96.86 USD' }).waitFor();
    const file = await saved(page, `PDF of Invoice ${february.number}`);
    assert.equal(Buffer.from(await bytesOf(file)).toString('latin1', 0, 5), '%PDF-');
    assertQuiet();
    await context.close();
  });
});
