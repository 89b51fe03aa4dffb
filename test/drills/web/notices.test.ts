import assert from 'node:assert/strict';
import { newSignInLink } from '../../../src/db/account/sign-in-link.ts';
import { useBrowser } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { requestsTo } from '../../support/ledger/test-customer.ts';

describe('the days of notices in the settings of an account', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const openWindow = useBrowser();

  it('are saved and taken out, and a wrong one is named at its field', async () => {
    const { page } = await openWindow();
    await page.goto((await newSignInLink(stack().pool, `${stack().api_url}/`))!);
    await page.getByText('Getting started').first().waitFor();
    await page.goto(`${stack().api_url}/settings/account?mode=test`);
    const renewal = page.getByLabel('Notice of a renewal');
    const credit = page.getByLabel('Notice of credit that expires');
    const save = () => page.getByRole('button', { name: 'Save' }).click();
    const stored = async () => (await request('/v1/account')).body.notice_days;
    await renewal.fill('7');
    await credit.fill('61');
    await save();
    await page.getByText('Correct the marked fields').waitFor();
    assert.equal(await credit.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(await stored(), { renewal: null, trial_end: null, credit_expiry: null });
    await credit.fill('14');
    await save();
    await page.getByText('Saved.').waitFor();
    assert.deepEqual(await stored(), { renewal: 7, trial_end: null, credit_expiry: 14 });
    await page.reload();
    assert.equal(await renewal.inputValue(), '7');
    await renewal.fill('');
    await save();
    await page.getByText('Saved.').waitFor();
    assert.deepEqual(await stored(), { renewal: null, trial_end: null, credit_expiry: 14 });
  });
});
