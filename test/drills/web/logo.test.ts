import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { assertFits, seriousFaults, signIn, useBrowser, type Window } from '../../support/servers/browser.ts';
import { requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { plainPng } from '../../support/documents/png.ts';
import { useStack } from '../../support/servers/stack.ts';

/** The logo on documents: finance sets it in the settings, and payers see it. */
describe('the logo in a browser', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const { customer, done } = testCustomersOn(request);
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const file = () => page().getByLabel(/^Set a(nother)? logo$/);
  const image = () => page().getByRole('img', { name: 'Logo' });
  const choose = (buffer: Buffer, name = 'logo.png') =>
    file().setInputFiles({ name, mimeType: 'image/png', buffer });
  const storedLogo = async (): Promise<Json> => (await request('/v1/account')).body.logo_sha256;

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
    await page().goto(`${stack().api_url}/settings/account?mode=test`);
  });

  it('is asked for by no page where there is none', async () => {
    const failed: string[] = [];
    const { url } = await done('/v1/portal-sessions', { customer_id: await customer() });
    const payer = await openWindow();
    for (const { page: watched } of [payer, window])
      watched.on('response', (response) => void (response.status() >= 400 && failed.push(response.url())));
    await payer.page.goto(`${stack().api_url}/portal${new URL(url).hash}`);
    await payer.page.getByText('Nothing is due.').waitFor();
    await payer.page.waitForLoadState('networkidle');
    await page().reload();
    await page().getByText('Documents have no logo.').waitFor();
    await page().waitForLoadState('networkidle');
    assert.deepEqual(failed, []);
  });

  it('is set, shown, replaced and removed', async () => {
    await page().getByText('Documents have no logo.').waitFor();
    await choose(plainPng(300, 100, '#1f5fa8'));
    await image().waitFor();
    const first = await storedLogo();
    assert.match(first, /^[0-9a-f]{64}$/);
    await assertFits(page(), 'logo');
    assert.deepEqual(await seriousFaults(page()), []);
    const source = await image().getAttribute('src');
    await choose(plainPng(100, 300, '#a81f2f'));
    await page().locator(`img.logo:not([src="${source}"])`).waitFor();
    assert.notEqual(await storedLogo(), first);
    await page().getByRole('button', { name: 'Remove', exact: true }).click();
    const dialog = page().getByRole('dialog');
    await dialog.getByText('Issued invoices keep theirs.').waitFor();
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await page().getByText('Documents have no logo.').waitFor();
    assert.equal(await storedLogo(), null);
  });

  const REFUSED: [what: string, file: Buffer, says: string][] = [
    ['that is no PNG', Buffer.from('<svg/>'), 'The file must be a PNG file that is whole.'],
    [
      'above 2,000 pixels',
      plainPng(2001, 1, '#ffffff'),
      'The file must be at most 2,000 pixels wide and high.',
    ],
    ['above 200 KB', Buffer.alloc(201 * 1024), 'The file must have at most 200 KB.'],
    ['that is empty', Buffer.alloc(0), 'The file is empty.'],
  ];
  for (const [what, refused, says] of REFUSED)
    it(`says why a file ${what} is refused`, async () => {
      await choose(refused);
      await page().getByText(says, { exact: true }).waitFor();
      assert.equal(await storedLogo(), null);
    });

  it('is at the top of the page of a portal link', async () => {
    await choose(plainPng(300, 100, '#1f5fa8'));
    await image().waitFor();
    const { url } = await done('/v1/portal-sessions', { customer_id: await customer() });
    const payer = await openWindow();
    await payer.page.goto(`${stack().api_url}/portal${new URL(url).hash}`);
    await payer.page.getByRole('img', { name: 'Logo' }).waitFor();
    await assertFits(payer.page, 'portal-logo');
    assert.deepEqual(await seriousFaults(payer.page), []);
  });
});
