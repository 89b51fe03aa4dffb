import assert from 'node:assert/strict';
import { choose, useBrowser, type Window, assertFits, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

/** contract.md 3, *Plan migrations*: subscribers move after a preview, with an outcome for each, and back. */
describe('plan migrations in a browser', function () {
  const stack = useStack();
  const { customer, done, plan, read, subscribe } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const rowsOf = async (name: string): Promise<string[]> => {
    const rows = page().getByRole('region', { name }).getByRole('row');
    await rows.nth(1).waitFor();
    return (await rows.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, ' '));
  };

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('the list is empty at first, and says where to begin', async () => {
    await visit('/plans');
    await page().getByRole('link', { name: 'Plan migrations' }).click();
    await page().getByText('No plan migration yet').waitFor();
  });

  it('a plan without another one in its currency says so', async () => {
    const alone = await plan([{ ...FLAT, flat_amount: '900' }], { currency: 'JPY' });
    await visit(`/plans/${alone}`);
    await button('Move subscribers').click();
    await page().getByText('No other plan in JPY').waitFor();
  });

  it('a move proposes the newest version of the same key, and never another plan', async () => {
    const proposed = async (id: string): Promise<string> => {
      await visit(`/plans/${id}`);
      await button('Move subscribers').click();
      return page().getByRole('combobox', { name: 'To the plan' }).inputValue();
    };
    const without_key = await plan([FLAT], { name: 'Small' });
    const first = await plan([FLAT], { name: 'Basic', key: 'basic' });
    const second = await plan([FLAT], { name: 'Basic', key: 'basic' });
    await plan([{ ...FLAT, flat_amount: '999.00' }], { name: 'Dear', key: 'dear' });
    assert.equal(await proposed(first), 'Basic, version 2');
    assert.equal(await proposed(second), '');
    assert.equal(await proposed(without_key), '');
    await button('Preview').click();
    await page().getByText('must not be empty').waitFor();
    await assertFits(page(), 'plan-migration-without-plan');
    await done(`/v1/pricing-plans/${second}/archive`, {});
    assert.equal(await proposed(first), '');
  });

  it('all versions of a key move to the newest after a preview, and what fails is named', async () => {
    const first = await plan([FLAT], { name: 'Pro', key: 'pro' });
    await subscribe(await customer({}, at('04-01')), first);
    const overlapping = await customer({}, at('04-01'));
    await subscribe(overlapping, first);
    await subscribe(overlapping, await plan([PER_UNIT], { name: 'Calls' }));
    const dearer = { ...FLAT, flat_amount: '199.00' };
    await plan([dearer, PER_UNIT], { name: 'Pro', key: 'pro' });
    await visit(`/plans/${first}`);
    await button('Move subscribers').click();
    await page().getByLabel('Subscribers', { exact: true }).selectOption('pro');
    await choose(page(), 'To the plan', 'Pro, version 2');
    const customers = page().getByLabel('Only these customers');
    await customers.fill(`${overlapping}, nobody`);
    await button('Preview').click();
    await page().getByText('customer_ids[1], nobody, does not match any customer').waitFor();
    await customers.fill(`${overlapping}\n`);
    await button('Preview').click();
    await page().getByRole('button', { name: 'Move 1', exact: true }).waitFor();
    await button('Back').click();
    assert.equal(await customers.inputValue(), `${overlapping}\n`);
    await customers.fill('');
    await page().getByLabel('Subscribers', { exact: true }).selectOption('pro');
    await choose(page(), 'To the plan', 'Pro, version 2');
    await button('Preview').click();
    const compared = await rowsOf('Each subscription by both plans');
    assert.equal(compared.length, 2);
    assert.match(compared[0]!, /49\.00 USD.*199\.00 USD.*150\.00 USD/);
    await page().getByText('398.00 USD').waitFor();
    await assertFits(page(), 'plan-migration-preview');
    await button('Move 2').click();
    await page().getByRole('heading', { name: 'Plan migration', level: 1 }).waitFor();
    await page().getByText('done').first().waitFor();
    const outcomes = await rowsOf('Outcomes, the newest subscription first');
    assert.match(outcomes[0]!, /failed subscription sub_\w+ already bills api_call events/);
    assert.match(outcomes[1]!, / changed/);
    await assertFits(page(), 'plan-migration');
    const { data } = await read('/v1/plan-migrations');
    assert.deepEqual([data[0].from_plan_id, data[0].changed, data[0].failed], ['pro', 1, 1]);
  });

  it('the outcomes are filtered, and what is scheduled is taken back', async () => {
    await page().getByLabel('Status').selectOption('taken_back');
    await page().getByText('No outcome with this status').waitFor();
    await button('Take back').click();
    await page().getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).click();
    await page().locator('.badge', { hasText: 'taken back' }).first().waitFor();
    assert.equal(await button('Take back').count(), 0);
    const outcomes = await rowsOf('Outcomes, the newest subscription first');
    assert.equal(outcomes.length, 1);
    await page().getByRole('link', { name: 'All plan migrations' }).click();
    const rows = await rowsOf('Plan migrations, newest first');
    assert.match(rows[0]!, /taken back/);
    await assertFits(page(), 'plan-migrations');
  });
});
