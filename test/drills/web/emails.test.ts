import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, signIn, useBrowser, WIDTHS, type Window } from '../../support/servers/browser.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

describe('emails in a browser', () => {
  const stack = useStack();
  const { customer, plan, subscribe, advance, read } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  let invoice: Json;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const dialog = () => page().getByRole('dialog');
  const visit = (path: string) =>
    page().goto(`${stack().api_url}${path}${path.includes('?') ? '&' : '?'}mode=test`);
  const loaded = () => page().waitForLoadState('networkidle');
  const emails = async (): Promise<Json[]> =>
    (await read(`/v1/emails?invoice_id=${invoice.id}&kind=invoice`)).data;
  const theme = (name: string) => page().getByLabel('Theme').selectOption(name);

  before(async () => {
    window = await openWindow();
    customer_id = await customer({ name: 'Acme', email: 'ada@acme.com' });
    await subscribe(customer_id, await plan([FLAT]));
    [invoice] = await advance(customer_id, at('02-01'));
    await signIn(page(), stack());
  });

  it('an invoice of test data is listed as it would look, and says why it does not leave', async () => {
    await eventually(emails, ([email]) => email?.status === 'kept');
    await visit(`/invoices/${invoice.id}`);
    await page().getByRole('link', { name: 'Emails', exact: true }).last().click();
    const list = page().getByRole('region', { name: 'Emails, newest first' });
    await list.getByText(invoice.number).first().waitFor();
    await list.getByText('kept').first().waitFor();
    await loaded();
    await assertFits(page(), 'emails');
    await list.getByRole('link', { name: invoice.number }).first().click();
    await page().getByLabel('Text').getByText('Dear Acme').waitFor();
    await page().getByText(`${invoice.number}.pdf`).waitFor();
    await page().getByText('emails of test data leave only to').waitFor();
    await loaded();
    await assertFits(page(), 'email');
  });

  it('Send writes an email to the addresses of the dialog, which says what is wrong with one', async () => {
    const before = (await emails()).length;
    await visit(`/invoices/${invoice.id}`);
    await button('Send').click();
    await dialog().getByLabel('To').fill('acme.com');
    await dialog().getByRole('button', { name: 'Send now' }).click();
    await dialog().getByText('Line 1 must be an email address').waitFor();
    assert.equal((await emails()).length, before);
    await dialog().getByLabel('To').fill('eva@other.com\nida@third.com');
    await dialog().getByRole('button', { name: 'Send now' }).click();
    await page().getByRole('link', { name: 'The email' }).click();
    await page().getByRole('cell', { name: 'ida@third.com' }).waitFor();
    const [email] = await emails();
    assert.deepEqual(
      email.to.map(({ address }: Json) => address),
      ['eva@other.com', 'ida@third.com'],
    );
  });

  it('one that waits is canceled on its page, and then sent again', async () => {
    const [email] = await emails();
    await stack().pool.query(
      `update emails set status = 'queued', status_reason = null, next_attempt_at = '9999-01-01' where id = $1`,
      [email.id],
    );
    await visit(`/emails/${email.id}`);
    await button('Cancel').click();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page().getByText('a person canceled it').waitFor();
    await button('Send again').click();
    await dialog().getByRole('button', { name: 'Send now' }).click();
    await page().getByRole('link', { name: 'The email' }).waitFor();
    assert.equal((await emails())[0].resend_of, email.id);
  });

  it('Settings, Email: fields are saved, a fault stands at its field, a text is replaced and comes back', async () => {
    await visit('/settings/email');
    await page().getByLabel('Test recipients').fill('acme.com');
    await button('Save').click();
    await page().getByText('Line 1 must be an email address').waitFor();
    await page().getByLabel('Test recipients').fill('ada@acme.com\n*@ocean.example');
    await page().getByLabel('Credit note', { exact: true }).uncheck();
    await page().getByLabel('Not after').fill('20');
    await page().getByLabel('Reminders on the days').fill('-3, 7, 1');
    await button('Save').click();
    await page().getByText('Day 3 must be above 7').waitFor();
    await page().getByLabel('Reminders on the days').fill('-3, 1, 7');
    await button('Save').click();
    await page().getByText('Saved.').first().waitFor();
    const account = await read('/v1/account');
    assert.deepEqual(account.email_test_recipients, ['ada@acme.com', '*@ocean.example']);
    assert.deepEqual(account.email_kinds, ['invoice', 'receipt', 'payment_failed']);
    assert.deepEqual(account.email_hours, { from: 8, until: 20 });
    assert.deepEqual(account.reminder_days, [-3, 1, 7]);
    await page().getByLabel('Language', { exact: true }).last().selectOption('German');
    await page().getByText('This is the text of Tidemark.').waitFor();
    await page().getByLabel('Subject').fill('Rechnung {nummer}');
    await button('Save text').click();
    await page().getByText('must not have {nummer}').waitFor();
    await page().getByLabel('Subject').fill('Ihre Rechnung {number}');
    await button('Save text').click();
    await page().getByText('Your own text since').waitFor();
    assert.equal((await read('/v1/email-texts/invoice/de')).subject, 'Ihre Rechnung {number}');
    await loaded();
    await assertFits(page(), 'settings-email');
    await button('Use the text of Tidemark').click();
    await page().getByText('This is the text of Tidemark.').waitFor();
  });

  it('Home says that the mail server refuses the login, and how many emails did not arrive', () =>
    // A worker without a mail server would forget the refusal at once.
    stack().whileAway(async () => {
      await stack().pool.query(
        `update email_sender set refused_at = now(), refusal = '535 5.7.8 Wrong password'`,
      );
      await stack().pool.query(`update emails set status = 'refused', next_attempt_at = null where id = $1`, [
        (await emails())[0].id,
      ]);
      await visit('/');
      await page().getByText('No email leaves.').waitFor();
      await page().getByText('535 5.7.8 Wrong password').waitFor();
      await page().getByText('Emails of the last four days that did not arrive: 1.').waitFor();
      await loaded();
      await assertFits(page(), 'home-emails');
      await page().getByRole('link', { name: 'Refused', exact: true }).click();
      await page()
        .getByRole('region', { name: 'Emails, newest first' })
        .getByText('refused')
        .first()
        .waitFor();
      await stack().pool.query('update email_sender set refused_at = null, refusal = null');
    }));

  it('a customer gets addresses, a language and no emails by themselves', async () => {
    await visit(`/customers/${customer_id}`);
    await button('Edit').click();
    await dialog().getByLabel('Emails go to').fill('ap@acme.com\nap@acme.com');
    await dialog().getByLabel('Only what a person sends').check();
    await dialog().getByLabel('Language of emails').selectOption('Dutch');
    await dialog().getByLabel('Reminders on the days').fill('none');
    await button('Save').click();
    await dialog().getByText('twice').waitFor();
    await dialog().getByLabel('Emails go to').fill('ap@acme.com');
    await button('Save').click();
    await dialog().waitFor({ state: 'hidden' });
    await page().getByText('only what a person sends').waitFor();
    const { billing_emails, email_muted, language, reminder_days } = await read(
      `/v1/customers/${customer_id}`,
    );
    assert.deepEqual([billing_emails, email_muted, language], [['ap@acme.com'], true, 'nl']);
    assert.deepEqual(reminder_days, []);
  });

  it('pages fit in the dark and on a phone', async () => {
    const [email] = await emails();
    await visit('/');
    await theme('dark theme');
    for (const [path, name] of [
      ['/emails', 'emails-dark'],
      [`/emails/${email.id}`, 'email-dark'],
      ['/settings/email', 'settings-email-dark'],
    ] as const) {
      await visit(path);
      await loaded();
      await assertFits(page(), name);
    }
    await page().setViewportSize({ width: WIDTHS.phone, height: 900 });
    await visit(`/invoices/${invoice.id}`);
    await button('Send').click();
    await dialog().getByLabel('To').waitFor();
  });

  it('no page contacted another host or logged an error', () => window.assertQuiet());
});
