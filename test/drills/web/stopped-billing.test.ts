import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import { assertFits, useBrowser, type Window } from '../../support/servers/browser.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { useStack } from '../../support/servers/stack.ts';
import { daysAgo, subscriptionsOf } from '../../support/ledger/subscriptions.ts';

const REASON = 'No tier of the charge covers the quantity 1, because its last tier has an upper limit.';
const DAY_MS = 86_400_000;
/** `--attention` of web/src/style/colours.css in the light theme. */
const AMBER = 'rgb(143, 74, 0)';

describe('billing that stopped, on every page that shows it', () => {
  const stack = useStack();
  const openWindow = useBrowser();
  let window: Window;
  let url = '';
  let subscription_id = '';
  const page = (): Page => window.page;
  const done = <Body>(path: string, body: object) =>
    stack().done<Body>(stack().test_key, 'POST', `/v1${path}`, body);
  const text = (found: string | RegExp) => page().getByText(found).first();

  before(async () => {
    window = await openWindow();
    url = stack().api_url;
    await done('/customers', { external_id: 'acme' });
    const charges = [{ event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '7' }];
    const plan = await done<{ id: string }>('/pricing-plans', { name: 'Plan', charges });
    const subscription = { customer_id: 'acme', plan_id: plan.id };
    subscription_id = (await done<{ id: string }>('/subscriptions', subscription)).id;
    await done('/events', { event_name: 'api_call', customer_id: 'acme', idempotency_key: '1' });
    await price({ pricing_model: 'volume', tiers: [{ up_to: '0', unit_amount: '7', flat_amount: null }] });
    await page().goto((await newSignInLink(stack().pool, `${url}/`))!);
    await text('Getting started').waitFor();
  });

  /** Stores a pricing without the checks of the API, as a bug in Tidemark would. */
  const price = (pricing: object) => stack().pool.query('update charges set pricing = $1', [pricing]);

  /** Asserts the sentence "Not billed since 1 March 2027: REASON" beside the end of the period, in the warning colour. */
  async function assertSaid(): Promise<void> {
    const sentence = text(/not billed since \d{1,2} \w+ \d{4}: No tier/i);
    await sentence.waitFor();
    const colour = await sentence.evaluate((element) => {
      const { color } = element.ownerDocument.defaultView!.getComputedStyle(element);
      return color;
    });
    assert.equal(colour, AMBER);
  }

  it('a subscription whose invoice is being made says so, and not that it is overdue', async () => {
    const { subscribe } = subscriptionsOf(stack);
    await stack().whileAway(async () => {
      const billing_anchor = new Date(Date.now() - 600_000).toISOString();
      const { id } = await subscribe({ start_date: daysAgo(1), billing_anchor });
      await page().goto(`${url}/subscriptions/${id}?mode=live`);
      await page().locator('.badge', { hasText: 'billing now' }).waitFor();
      await text('its invoice is being made').waitFor();
      assert.equal(await page().locator('.badge', { hasText: 'overdue' }).count(), 0);
      await assertFits(page(), 'subscription-billing-now');
    });
    await page().goto(`${url}/?mode=test`);
  });

  it('the test clock says that billing stopped, why, and where', async () => {
    await page().goto(`${url}/customers/acme`);
    await page().getByRole('button', { name: 'One month forward' }).click();
    const outcome = page().locator('.notice-attention', { hasText: 'billing stopped' });
    await outcome.getByText(REASON).waitFor();
    for (const reassuring of ['No period has ended', 'Done.'])
      assert.equal(await page().getByText(reassuring).count(), 0);
    await outcome.getByRole('link').first().click();
    await page().waitForURL(`**/subscriptions/${subscription_id}?mode=test`);
  });

  it('the pages of subscription, customer and list say since when nothing is billed, and why', async () => {
    await assertSaid();
    await text('The invoice cannot be created').waitFor();
    for (const untrue of ['ends and is billed', 'No further invoice'])
      assert.equal(await page().getByText(untrue).count(), 0);
    assert.equal(await page().locator('main .badge-good').count(), 0);
    await page().goto(`${url}/customers/acme`);
    await assertSaid();
    await text('The invoice cannot be created').waitFor();
    // Only one button, which bills again: a second one beside the preview would do nothing.
    assert.equal(await page().getByRole('button', { name: 'Try again' }).count(), 1);
    await page().goto(`${url}/subscriptions`);
    await page().getByLabel('Billing').selectOption({ label: 'needs attention' });
    await page().getByRole('button', { name: 'Filter' }).click();
    await page().waitForURL(/attention=true/);
    await assertSaid();
  });

  it('Try again bills after the cause is removed, and otherwise says why not', async () => {
    // The page waits for six seconds; on a busy machine billing may take longer, and then the button is there after a reload.
    const tryUntil = (outcome: () => Locator) =>
      eventually(async () => {
        await page().goto(`${url}/subscriptions/${subscription_id}`);
        const button = page().getByRole('button', { name: 'Try again' });
        await button
          .or(outcome())
          .first()
          .waitFor()
          .catch(() => undefined);
        if (await button.isVisible()) await button.click().catch(() => undefined);
        return outcome()
          .waitFor()
          .then(() => true)
          .catch(() => false);
      }, Boolean);
    await tryUntil(() => text('Billing failed again.'));
    await price({ pricing_model: 'per_unit', unit_amount: '7' });
    await tryUntil(() => page().getByRole('link', { name: 'INV-000001' }));
    assert.equal(await page().getByText(REASON).count(), 0);
  });

  it('the list says what is billed now, of a test customer by its clock', async () => {
    const { id: plan_id } = await done<{ id: string }>('/pricing-plans', {
      ...{ name: 'Clocked', charges: [{ event_name: 'fee', pricing_model: 'flat', flat_amount: '1' }] },
    });
    for (const external_id of ['clocked', 'in real time']) {
      await done('/customers', { external_id });
      await done('/subscriptions', { customer_id: external_id, plan_id });
    }
    await stack().whileAway(async () => {
      await stack().pool.query(
        `update customers set test_clock = date_trunc('milliseconds', now() + interval '40 days')
         where external_id = 'clocked'`,
      );
      const badge = (customer: string, state: string) =>
        page().getByRole('row', { name: customer }).locator('.badge', { hasText: state });
      await page().goto(`${url}/subscriptions?mode=test`);
      await badge('clocked', 'billing now').waitFor();
      await badge('in real time', 'active').waitFor();
      assert.equal(await badge('in real time', 'billing now').count(), 0);
      await assertFits(page(), 'subscriptions-billing-now');
    });
    const to = new Date(Date.now() + 41 * DAY_MS).toISOString();
    await done('/test-clock/advance', { customer_id: 'clocked', to });
    await page().reload();
    const row = page().getByRole('row', { name: 'clocked' });
    await row.locator('.badge', { hasText: 'active' }).waitFor();
    window.assertQuiet();
  });
});
