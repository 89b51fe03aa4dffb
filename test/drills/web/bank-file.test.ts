import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import {
  assertFits,
  choices,
  seriousFaults,
  signIn,
  useBrowser,
  type Window,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { transfersOn } from '../../support/ledger/transfers.ts';

/** Work of finance with money that came in: one payment of several invoices, and the file of the bank. */
describe('transfers in a browser', function () {
  const stack = useStack();
  const given = testCustomersOn(requestsTo(stack));
  const { twoInvoices, invoicesOf, owedOf, balanceOf } = transfersOn(given);
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const rowOf = (text: string) =>
    page().getByRole('region', { name: 'Rows of the file' }).getByRole('row').filter({ hasText: text });

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('are recorded on the page of an invoice, with another one, and reversed as a whole', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    await visit(`/invoices/${hundred.id}`);
    await button('Record payment').click();
    await dialog().getByLabel(`${fifty.number}: 50.00 USD`).check();
    await dialog().getByText('0.00 USD to the balance', { exact: true }).waitFor();
    await dialog().getByLabel('Amount in USD').fill('160');
    await dialog().getByText('10.00 USD to the balance', { exact: true }).waitFor();
    await dialog().getByLabel('Reference').fill('both');
    await assertFits(page(), 'record-transfer');
    await dialog().getByRole('button', { name: 'Record payment' }).click();
    await page().getByText('both').first().waitFor();
    assert.deepEqual(
      [await owedOf(hundred), await owedOf(fifty)],
      [
        ['paid', '0.00'],
        ['paid', '0.00'],
      ],
    );
    assert.equal(await balanceOf(customer_id), '10.00');
    await button('Reverse').click();
    await dialog().getByLabel('Reason').fill('bounced');
    await dialog().getByRole('button', { name: 'Reverse payment' }).click();
    await page().getByText('bounced').first().waitFor();
    assert.deepEqual(
      [await owedOf(hundred), await owedOf(fifty)],
      [
        ['open', '100.00'],
        ['open', '50.00'],
      ],
    );
    assert.equal(await balanceOf(customer_id), '0.00');
  });

  it('are recorded on the page of a customer, in part of the last invoice', async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    await visit(`/customers/${customer_id}`);
    await button('Record a payment').click();
    await dialog().getByLabel(`${hundred.number}: 100.00 USD`).check();
    await dialog().getByLabel(`${fifty.number}: 50.00 USD`).check();
    assert.equal(await dialog().getByLabel('Amount in USD').inputValue(), '150.00');
    await dialog().getByLabel('Amount in USD').fill('120');
    // Both are due on one day: the lower number comes first.
    const is_hundred_first = hundred.number < fifty.number;
    const [first, last] = is_hundred_first ? [hundred, fifty] : [fifty, hundred];
    const part = is_hundred_first ? '20.00' : '70.00';
    await dialog().getByText(`${part} of ${last.total} USD of ${last.number}`).waitFor();
    await dialog().getByRole('button', { name: 'Record a payment' }).click();
    await dialog().waitFor({ state: 'hidden' });
    assert.deepEqual(await owedOf(last), ['open', '30.00']);
    assert.deepEqual(await owedOf(first), ['paid', '0.00']);
  });

  it('find others of many open invoices by a part of their number', async () => {
    const amounts = Array.from({ length: 12 }, (_, place) => `${place + 1}.00`);
    const invoices = await invoicesOf(amounts, { name: 'Many' });
    const [wanted, also] = [invoices[4]!, invoices[9]!];
    await visit(`/customers/${wanted.customer_id}`);
    await button('Record a payment').click();
    const offered = dialog().getByRole('checkbox');
    await offered.nth(11).waitFor();
    const field = dialog().getByLabel('Find by a part of the number');
    await field.fill(wanted.number.slice(-4));
    await offered.nth(1).waitFor({ state: 'detached' });
    await dialog().getByLabel(wanted.number).check();
    await field.fill(also.number.slice(-4));
    await dialog().getByLabel(also.number).check();
    assert.equal(await offered.count(), 2, 'what is chosen stays in sight');
    await field.press('Enter');
    await field.fill('nothing');
    assert.equal(await offered.count(), 2);
    assert.equal(await dialog().getByLabel('Amount in USD').inputValue(), '15.00');
    await assertFits(page(), 'find-open-invoices');
    await dialog().getByRole('button', { name: 'Record a payment' }).click();
    await dialog().waitFor({ state: 'hidden' });
    assert.deepEqual([await owedOf(wanted), await owedOf(also)], Array(2).fill(['paid', '0.00']));
    assert.deepEqual(await owedOf(invoices[0]!), ['open', '1.00']);
  });

  /** Opens a file, and names its columns unless they are known. */
  async function openFile(text: string, columns: Record<string, string> = {}): Promise<void> {
    const file = { name: 'bank.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page().getByLabel('File of the bank').setInputFiles(file);
    if (Object.keys(columns).length === 0) return;
    for (const [label, option] of Object.entries(columns))
      await page().getByLabel(label, { exact: true }).selectOption({ value: option });
    await button('Show the rows').click();
  }

  it("of a bank's file are matched, corrected and booked, and not booked again", async () => {
    const { customer_id, hundred, fifty } = await twoInvoices();
    const [other] = (await invoicesOf(['70.00'], { name: 'Zebra' })) as [Json];
    const day = `05.02.${at('01-01').slice(0, 4)}`;
    const text = [
      'Buchung;Betrag;Zweck;Auftraggeber',
      `${day};160,00;Rechnungen ${hundred.number} ${fifty.number};Acme`,
      `${day};70,00;Danke;Zebra`,
      `${day};-4,50;Gebühren;`,
      `;12,00;ohne Tag;`,
    ].join('\n');
    await page().getByRole('link', { name: 'Payments', exact: true }).click();
    await page().getByRole('link', { name: "Open a bank's file" }).click();
    await openFile(text, {
      Day: 'Buchung',
      'Days are written as': 'dmy',
      Amount: 'Betrag',
      'Amounts are written as': ',',
      Reference: 'Zweck',
      'Name of the payer': 'Auftraggeber',
    });
    await page().getByText('Line 5 lacks a day.').waitFor();
    await rowOf(hundred.number).getByText('matched').waitFor();
    await rowOf(hundred.number).getByText('10.00 USD to the balance').waitFor();
    await rowOf('Gebühren').getByText('ignored').waitFor();
    await button('Book 1 transfer').waitFor();
    await rowOf('Danke').getByText('unmatched').waitFor();
    await rowOf('Danke').getByLabel(`${other.number}, 70.00 USD`).check();
    await assertFits(page(), 'bank-file');
    assert.deepEqual(await seriousFaults(page()), []);
    await button('Book 2 transfers').click();
    await page().getByText('2 booked').waitFor();
    assert.deepEqual(
      [await owedOf(hundred), await owedOf(fifty), await owedOf(other)],
      Array.from({ length: 3 }, () => ['paid', '0.00']),
    );
    assert.equal(await balanceOf(customer_id), '10.00');
    await page().reload();
    await openFile(text);
    await rowOf(hundred.number).getByText('booked').waitFor();
    await rowOf('Danke').getByText('booked').waitFor();
    assert.equal(
      await page()
        .getByRole('button', { name: /^Book / })
        .count(),
      0,
    );
    const payments = await given.read(`/v1/payments?customer_id=${customer_id}`);
    assert.equal(payments.data.length, 3);
  });

  it('are booked once where an answer is lost', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const text = `Day;Amount;Text\n${at('02-05').slice(0, 10)};100;Paid ${hundred.number}\n`;
    await visit('/payments/bank-file');
    await openFile(text, { Day: 'Day', Amount: 'Amount', Reference: 'Text' });
    let requests = 0;
    await page().route('**/v1/transfers', async (route) => {
      await route.fetch();
      requests += 1;
      await (requests === 1 ? route.abort() : route.continue());
    });
    await button('Book 1 transfer').click();
    await page().getByText('The API does not respond').waitFor();
    await button('Book 1 transfer').click();
    await page().getByText('1 booked').waitFor();
    await page().unroute('**/v1/transfers');
    const { data } = await given.read(`/v1/transfers?customer_id=${customer_id}`);
    assert.equal(data.length, 1);
  });

  it('pay an invoice that a person finds, where a row names none', async () => {
    const [first, second] = (await invoicesOf(['301.00', '302.00'], { name: 'Findable' })) as [Json, Json];
    const text = `Day;Amount;Text\n${at('02-05').slice(0, 10)};603;thank you\n`;
    await visit('/payments/bank-file');
    await openFile(text);
    await rowOf('thank you').getByText('unmatched').waitFor();
    assert.equal(await page().getByRole('checkbox').count(), 0);
    for (const [words, found] of [
      [first.number, first],
      ['findable', second],
    ] as const) {
      await rowOf('thank you').getByRole('button', { name: 'Find an invoice' }).click();
      await dialog().getByRole('combobox', { name: 'Open invoice' }).fill(words);
      await choices(page()).filter({ hasText: found.number }).click();
      await assertFits(page(), 'find-invoice');
      await dialog().getByRole('button', { name: 'Choose' }).click();
      await dialog().waitFor({ state: 'hidden' });
      await rowOf('thank you').getByLabel(`${found.number}, ${found.total} USD`).waitFor();
    }
    await rowOf('thank you').getByRole('button', { name: 'Find an invoice' }).click();
    await dialog().getByRole('button', { name: 'Choose' }).click();
    await dialog().getByText('Choose an invoice from the list.').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await button('Book 1 transfer').click();
    await page().getByText('1 booked').waitFor();
    assert.deepEqual([await owedOf(first), await owedOf(second)], Array(2).fill(['paid', '0.00']));
  });

  it('of two equal rows are two payments, once a person has said so', async () => {
    const { customer_id, hundred } = await twoInvoices();
    const row = `${at('02-05').slice(0, 10)};50;Half of ${hundred.number}`;
    await visit('/payments/bank-file');
    await openFile(['Day;Amount;Text', row, row, ''].join('\n'));
    await button('Book 2 transfers').click();
    const second = page().getByLabel('Book line 3 as a second payment');
    await second.check();
    await button('Book 1 transfer').click();
    await page().getByText('2 booked').waitFor();
    assert.deepEqual(await owedOf(hundred), ['paid', '0.00']);
    const { data } = await given.read(`/v1/transfers?customer_id=${customer_id}`);
    assert.equal(data.length, 2);
  });

  it('that are refused say why, and nothing is booked of a file that is none', async () => {
    const { hundred } = await twoInvoices();
    const text = `Day;Amount;Text\n${at('02-05').slice(0, 10)};100;Again ${hundred.number}\n`;
    await visit('/payments/bank-file');
    await openFile(text);
    await rowOf(hundred.number).getByText('matched').waitFor();
    await given.done(`/v1/invoices/${hundred.id}/pay`);
    await button('Book 1 transfer').click();
    await rowOf(hundred.number).getByText('is paid and cannot become paid').waitFor();
    await openFile('hello');
    await page().getByText('The file has no line of titles').waitFor();
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
