import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Subscription } from '../../../src/objects/subscription.ts';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import {
  scrolledTables,
  seriousFaults,
  takePicture,
  useBrowser,
  WIDTHS,
  type Window,
} from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';

const DAY_MS = 86_400_000;
const HOSTILE = `<img src=x onerror="document.title='run'"> & "Söhne" 株式会社`;

/** A request of a customer's backend, with the key from the dashboard. */
async function curl(key: string, url: string, body: object): Promise<{ id: string }> {
  const { stdout } = await promisify(execFile)('curl', [
    ...['--silent', '--show-error', '--fail-with-body', '-H', `Authorization: Bearer ${key}`],
    ...['-H', 'Content-Type: application/json', '-d', JSON.stringify(body), url],
  ]);
  return JSON.parse(stdout);
}

describe('the whole path in a browser', () => {
  const stack = useStack();
  const openWindow = useBrowser();
  let window: Window;
  let url = '';
  let key = '';
  let invoice_path = '';
  before(async () => {
    window = await openWindow();
    url = stack().api_url;
  });
  const page = () => window.page;
  const picture = async (name: string) => {
    // Waits until everything is loaded, so that it is in the picture.
    await page().waitForLoadState('networkidle');
    await takePicture(page(), name);
  };
  const heading = (name: string | RegExp) => page().getByRole('heading', { name, level: 1 });
  const visit = (place: string) =>
    page().getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: place }).click();

  it('signs in by the link, and shows the first steps', async () => {
    await page().goto((await newSignInLink(stack().pool, `${url}/`))!);
    await heading('Home').waitFor();
    await page().getByText('Getting started').first().waitFor();
    await picture('home-first');
  });

  it('makes a key, copies it, and curl sends events with it', async () => {
    await visit('Settings');
    await page().getByRole('button', { name: 'Create a key' }).click();
    await page().getByRole('button', { name: 'Create key' }).click();
    await page().getByText('is missing', { exact: true }).waitFor();
    await page().getByLabel('Name').fill('Backend');
    await page().getByRole('button', { name: 'Create key' }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByRole('button', { name: /Copy/ }).click();
    key = await page().evaluate<string>('navigator.clipboard.readText()');
    assert.match(key, /^tm_sk_test_\w{38}$/);
    await picture('key-shown-once');
    await dialog.getByRole('button', { name: 'I have copied the key' }).click();
    assert.ok(!(await page().content()).includes(key));

    await curl(key, `${url}/v1/customers`, { external_id: 'acme', name: HOSTILE, tax_rate: '20' });
    const tiers = [
      { up_to: 2, unit_amount: '0.10' },
      { up_to: null, unit_amount: '0.05', flat_amount: '1.00' },
    ];
    const charges = [{ event_name: 'api_call', pricing_model: 'graduated', tiers }];
    const plan = await curl(key, `${url}/v1/pricing-plans`, { name: 'Pay as you go', charges });
    await curl(key, `${url}/v1/subscriptions`, { customer_id: 'acme', plan_id: plan.id });
    await curl(key, `${url}/v1/credit-grants`, { customer_id: 'acme', amount: 1 });
    const events = [1, 2, 3, 4, 5].map((n) => ({
      event_name: 'api_call',
      customer_id: 'acme',
      idempotency_key: `call ${n}`,
      properties: { note: HOSTILE },
    }));
    await curl(key, `${url}/v1/events/batch`, { events });
  });

  it('finds the events, and the billing status of one, with hostile text as text', async () => {
    await visit('Events');
    await page().getByRole('row').nth(1).getByRole('link').first().click();
    await page().getByText('pending').first().waitFor();
    assert.ok(await page().getByText('onerror').first().isVisible());
    await picture('event');
  });

  it('finds the customer, and moves its clock to the end of the period', async () => {
    await visit('Customers');
    await page().getByLabel('Search').fill('söhne');
    await page().getByRole('link', { name: HOSTILE }).click();
    await page().getByText(HOSTILE).first().waitFor();
    await picture('customer');
    await page().getByRole('button', { name: 'One month forward' }).click();
    await page().getByText('INV-000001').first().waitFor();
  });

  it('reads the invoice down to its events', async () => {
    await visit('Invoices');
    await page().getByRole('link', { name: 'INV-000001' }).click();
    await page().getByText('1.56').first().waitFor();
    invoice_path = new URL(page().url()).pathname;
    await page().getByText('1.30').first().click();
    await page().getByText('2 × 0.05 + 1').waitFor();
    await page().getByRole('link', { name: /evt_/ }).nth(3).waitFor();
    await picture('invoice-line');
  });

  it('downloads its PDF', async () => {
    const downloading = page().waitForEvent('download');
    await page().getByRole('button', { name: 'PDF' }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), 'INV-000001.pdf');
    const bytes = await buffer(await download.createReadStream());
    assert.equal(bytes.toString('latin1', 0, 5), '%PDF-');
  });

  it('shows a late event first in the preview, and then in the replacement invoice', async () => {
    const timestamp = new Date().toISOString();
    const late = { event_name: 'api_call', customer_id: 'acme', idempotency_key: 'late', timestamp };
    await curl(key, `${url}/v1/events`, late);
    await page().getByRole('link', { name: 'Regenerate' }).click();
    await page().getByText('1.62').first().waitFor();
    await picture('regenerate-difference');
    await page().getByLabel('Reason').fill('late call');
    await page().getByRole('button', { name: 'Void and bill again' }).click();
    await page().waitForURL((to) => to.pathname !== invoice_path && !to.pathname.endsWith('/regenerate'));
    await page().getByText('1.62').first().waitFor();
    await picture('invoice-replacing');
    await page().goto(url + invoice_path);
    await page().getByText('This invoice is void and must not be paid.').waitFor();
    await page().locator('.notice').getByRole('link', { name: /^INV-/ }).click();
  });

  it('a subscription goes by the clock that is moved beside it, also within a period', async () => {
    const { done, test_key } = stack();
    const path = await pathOf('subscription');
    const { current_period_end } = await done<Subscription>(test_key, 'GET', `/v1${path}`);
    const before_end = (days: number) =>
      new Date(Date.parse(current_period_end) - days * DAY_MS).toISOString();
    await page().goto(url + path);
    for (const days of [5, 3]) {
      await page().getByLabel('To another time').fill(before_end(days));
      await page().getByRole('button', { name: 'Move the clock' }).click();
      await page().getByText(`in ${days} days`).first().waitFor();
    }
    await page().reload();
    await page().getByText('in 3 days').first().waitFor();
  });

  const PLACES = [
    '/',
    '/events',
    '/customers',
    '/customers/acme',
    '/plans',
    '/plans/new',
    '/subscriptions',
    '/invoices',
  ];
  const SETTINGS = ['/settings/keys', '/settings/account', '/settings/sessions'];
  for (const [name, width] of Object.entries(WIDTHS)) {
    for (const place of [...PLACES, ...SETTINGS, 'plan', 'subscription', 'invoice']) {
      it(`${place} is sound at the width of a ${name}`, async () => {
        await page().setViewportSize({ width, height: 900 });
        await page().goto(url + (place.startsWith('/') ? place : await pathOf(place)));
        await heading(/./).waitFor();
        await picture(`${name}${place.replaceAll('/', '-')}`);
        assert.deepEqual(await seriousFaults(page()), []);
        const overflow = await page().evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        assert.ok(overflow <= 0, `${overflow} pixels too wide`);
        if (name === 'phone') assert.deepEqual(await scrolledTables(page()), []);
      });
    }
  }

  /** Path of the first invoice, or of the only plan or subscription. */
  async function pathOf(kind: string): Promise<string> {
    if (kind === 'invoice') return invoice_path;
    const { rows } = await stack().pool.query<{ id: string }>(`select id from ${kind}s`);
    return `/${kind}s/${rows[0]!.id}`;
  }

  it("no page contacted another host, logged an error, or ran a script in a customer's name", async () => {
    assert.notEqual(await page().title(), 'run');
    window.assertQuiet();
  });
});
