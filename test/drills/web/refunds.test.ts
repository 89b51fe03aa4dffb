import assert from 'node:assert/strict';
import { assertFits, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { savedCardsOn } from '../../support/ledger/saved-cards.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { TEST_KEY } from '../../support/servers/stripe-stand-in.ts';
import { useStripe } from '../../support/servers/use-stripe.ts';

describe('refunds in a browser', () => {
  const { settings, stripe } = useStripe();
  const stack = useStack(settings);
  const customers = testCustomersOn(requestsTo(stack));
  const { customer, done, read } = customers;
  const { saveCard, anOpenInvoice } = savedCardsOn(customers, { stack, stripe });
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const dialog = () => page().getByRole('dialog');
  const loaded = () => page().waitForLoadState('networkidle');

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
    await done('/v1/payment-providers', { kind: 'stripe', secret_key: TEST_KEY });
  });

  /** An invoice of 49.00 that a card has paid. */
  async function aChargedInvoice(): Promise<string> {
    const id = await customer({ name: 'Acme' }, null);
    await saveCard(id, '4242', 'succeeds');
    const invoice = await anOpenInvoice(id);
    await done(`/v1/invoices/${invoice}/charge`, {});
    return invoice;
  }

  it('a person refunds a part of a payment, and sees the refund, the rest and the pause', async () => {
    const invoice = await aChargedInvoice();
    await page().goto(`${stack().api_url}/invoices/${invoice}?mode=test`);
    await page().getByRole('button', { name: 'Refund', exact: true }).click();
    await dialog().getByText('49.00 USD are left to refund').waitFor();
    await assertFits(page(), 'the dialog of a refund');
    await dialog().getByLabel('Amount in USD').fill('50');
    await dialog().getByLabel('Reason').fill('goodwill');
    await dialog().getByRole('button', { name: 'Refund' }).click();
    await dialog()
      .getByText(/above 49.00/)
      .waitFor();
    await dialog().getByLabel('Amount in USD').fill('9');
    await dialog().getByRole('button', { name: 'Refund' }).click();
    const list = page().getByRole('region', { name: 'Refunds of this invoice' });
    await list.getByText('succeeded').waitFor();
    await page().getByRole('region', { name: 'Payments of this invoice' }).getByText('40.00').waitFor();
    await loaded();
    await assertFits(page(), 'an invoice with a refund');
  });

  it('Home lists a refund of a credit note that has failed', async () => {
    const invoice = await aChargedInvoice();
    stripe().refundsAre('failed');
    await done(`/v1/invoices/${invoice}/credit-notes`, {
      ...{ lines: 'all', reason: 'late', settle: 'outside', refund: true },
    });
    const failed = await eventually(
      async () => (await read(`/v1/payment-refunds?invoice_id=${invoice}&status=failed`)).data,
      ({ length }) => length === 1,
    );
    stripe().refundsAre('succeeded');
    await page().goto(`${stack().api_url}/?mode=test`);
    await page().getByText('The refund of a credit note has failed').waitFor();
    await loaded();
    await assertFits(page(), 'Home with a refund that has failed');
    assert.equal(failed[0].amount, '49.00');
  });
});
