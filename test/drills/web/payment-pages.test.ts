import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

/** The page of Stripe, with a button for each card that its payer may use. */
const CHECKOUT = `<!doctype html><title>Checkout</title><h1>Checkout</h1>
  <a href="/pay/succeeds">Pay</a> <a href="/pay/declined">Pay with an empty card</a> <a href="/pay/processing">Pay by debit</a>
  <a href="/back">Back</a>`;

describe('an invoice is paid by its payer in a browser', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const customers = testCustomersOn(requestsTo(stack));
  const { customer, done, read } = customers;
  const { anOpenInvoice } = savedCardsOn(customers, { stack, stripe });
  const openWindow = useBrowser();

  before(() => done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY }));

  /** Stands in for the pages of Stripe: each link does what its payer does, and leads back to the portal. */
  const serveCheckout = async (page: Page): Promise<void> => {
    let shown = '';
    await page.route('https://checkout.stripe.com/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/c/pay/')) {
        shown = route.request().url();
        return route.fulfill({ contentType: 'text/html', body: CHECKOUT });
      }
      const at_stripe = stripe().state.page(shown);
      if (pathname === '/pay/succeeds') stripe().payPage(shown);
      if (pathname === '/pay/processing') stripe().payPage(shown, 'processing');
      if (pathname === '/pay/declined') {
        stripe().payPage(shown, { declined: 'insufficient_funds' });
        return route.fulfill({ contentType: 'text/html', body: `<p>Your card was declined.</p>${CHECKOUT}` });
      }
      const back = new URL(at_stripe.success_url);
      return route.fulfill({
        status: 302,
        headers: { Location: `${stack().api_url}${back.pathname}${back.search}` },
      });
    });
  };

  /** The portal at an open invoice of 49.00 USD of a new customer. */
  const visit = async (): Promise<Window & { invoice_id: string }> => {
    const id = await customer({ name: 'Acme' }, null);
    const invoice_id = await anOpenInvoice(id);
    const { url } = await done('/v1/portal-sessions', { customer_id: id, invoice_id });
    const window = await openWindow();
    await serveCheckout(window.page);
    await window.page.goto(url.replace(/^.*\/portal/, `${stack().api_url}/portal`));
    return { ...window, invoice_id };
  };
  const payButton = (page: Page) => page.getByRole('button', { name: 'Pay 49.00 USD' }).first();

  it('goes to the page of the provider, pays, comes back and sees it paid at once', async () => {
    const { page, invoice_id } = await visit();
    await payButton(page).waitFor();
    await page.waitForLoadState('networkidle');
    await assertFits(page, 'the portal with an invoice that can be paid');
    await payButton(page).click();
    await page.getByRole('link', { name: 'Pay', exact: true }).click();
    await page.getByText('Thank you: your payment of 49.00 USD has arrived.').waitFor();
    await page.getByText('Nothing is due.').waitFor();
    assert.equal((await read(`/v1/invoices/${invoice_id}`)).status, 'paid');
    assert.equal(await page.getByRole('button', { name: /^Pay/ }).count(), 0);
    await page.waitForLoadState('networkidle');
    await assertFits(page, 'the portal after a payment');
  });

  it('is declined, pays with another card on the same page', async () => {
    const { page } = await visit();
    await payButton(page).click();
    await page.getByRole('link', { name: 'Pay with an empty card' }).click();
    await page.getByText('Your card was declined.').waitFor();
    await page.getByRole('link', { name: 'Pay', exact: true }).click();
    await page.getByText('has arrived').waitFor();
  });

  it('goes back without a payment, and may pay later', async () => {
    const { page, invoice_id } = await visit();
    await payButton(page).click();
    await page.getByRole('link', { name: 'Back' }).click();
    await payButton(page).waitFor();
    assert.equal((await read(`/v1/payment-sessions?invoice_id=${invoice_id}`)).data.length, 1);
  });

  it('pays by a debit, which takes days', async () => {
    const { page } = await visit();
    await payButton(page).click();
    await page.getByRole('link', { name: 'Pay by debit' }).click();
    await page.getByText('Your payment of 49.00 USD is under way.').waitFor();
    await payButton(page).click();
    await page.getByText('A payment of this invoice is under way. A bank may need some days.').waitFor();
  });

  it('comes back in a tab without a link, and is thanked without any bill', async () => {
    const { page } = await openWindow();
    await page.goto(`${stack().api_url}/portal?invoice_id=inv_1&payment_session_id=pys_1`);
    await page.getByRole('heading', { name: 'Back from the payment' }).waitFor();
  });

  it('gets a payment link that support copies from the page of the invoice', async () => {
    const invoice_id = await anOpenInvoice(await customer({ name: 'Globex' }, null));
    const { page } = await openWindow();
    await signIn(page, stack());
    await page.goto(`${stack().api_url}/invoices/${invoice_id}?mode=test`);
    await page.getByRole('button', { name: 'Payment link' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^https:\/\/checkout\.stripe\.com\//).waitFor();
    await assertFits(page, 'the dialog of a payment link');
    await dialog.getByRole('button', { name: 'Copy' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    const [session] = (await read(`/v1/payment-sessions?invoice_id=${invoice_id}`)).data;
    assert.equal(copied, session.url);
    await done(`/v1/invoices/${invoice_id}/pay`);
    await page.reload();
    await page.getByRole('button', { name: 'Pay', exact: true }).waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('button', { name: 'Payment link' }).count(), 0);
  });
});
