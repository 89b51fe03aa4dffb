import assert from 'node:assert/strict';
import { useBrowser, type Window, assertFits, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const SUM = { type: 'sum', property: 'tokens' };
const TIERS = [
  { up_to: '1000', unit_amount: '0.01' },
  { up_to: null, unit_amount: '0.005' },
];

describe('prices by the values of properties in a browser', function () {
  const stack = useStack();
  const { advance, customer, plan, read, subscribe, use } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let plan_id = '';
  let invoice_id = '';
  const page = () => window.page;
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const visit = (path: string) => page().goto(`${stack().api_url}${path}?mode=test`);
  const group = (name: string) => page().getByRole('group', { name, exact: true });
  const rowsOf = async (name: string): Promise<string[]> => {
    const rows = page().getByRole('region', { name }).getByRole('row');
    await rows.first().waitFor();
    return (await rows.allInnerTexts()).map((row) => row.replaceAll(/\s+/g, ' '));
  };
  const used = (model: string, tokens: number, region?: string) => ({
    ...{ event_name: 'completion', timestamp: at('01-02') },
    properties: { model, tokens, ...(region === undefined ? {} : { region }) },
  });

  async function fillPrice(
    name: string,
    [property, values, amount]: [string, string, string],
  ): Promise<void> {
    await group(name).getByLabel('Property').fill(property);
    await group(name).getByLabel('Values').fill(values);
    await group(name).getByLabel('Unit amount').fill(amount);
  }

  before(async () => {
    window = await openWindow();
    await signIn(page(), stack());
  });

  it('a plan is written with two prices and a default; what is wrong is named at its field', async () => {
    await visit('/plans/new');
    await page().getByLabel('Name', { exact: true }).fill('Tokens by model');
    await page().getByLabel('Event name').fill('completion');
    await page().getByLabel('Quantity of a period').selectOption({ label: 'the sum of a property' });
    await page().getByLabel('Property', { exact: true }).fill('tokens');
    await page().getByLabel('Model').selectOption({ label: 'Per unit' });
    await page().getByLabel('Prices').selectOption({ label: 'By the values of properties' });
    await fillPrice('Price 1', ['model', 'large\nlarger', '0.00001']);
    await button('Add a price').click();
    await fillPrice('Price 2', ['model', 'small\nlarger', '']);
    await group('Price for all others').getByLabel('Unit amount').fill('0.000008');
    await page().getByLabel('First property').fill('region');
    await button('Create plan').click();
    await group('Price 2').getByText('is missing; the pricing model per_unit requires it').waitFor();
    await group('Price 2').getByText('is for events that price 1 is for too').waitFor();
    assert.equal(await page().locator('.field-fault').count(), 2);
    await assertFits(page(), 'prices-form');
    await fillPrice('Price 2', ['model', 'small', '0.000001']);
    await group('Price 1').getByText('Chart').click();
    await group('Price 1').getByRole('img').waitFor();
    await button('Create plan').click();
    await page().getByRole('heading', { name: 'Tokens by model', level: 1 }).waitFor();
    plan_id = new URL(page().url()).pathname.split('/').at(-1)!;
  });

  it('a price is removed and added again, one without a property is refused there, and the models without a list have one price', async () => {
    await visit('/plans/new');
    await page().getByLabel('Model').selectOption({ label: 'Per unit' });
    await page().getByLabel('Prices').selectOption({ label: 'By the values of properties' });
    const first = group('Price 1').getByRole('button', { name: 'Remove Price 1' });
    assert.equal(await first.isDisabled(), true);
    await button('Add a price').click();
    await group('Price 2').getByLabel('Property').fill('kept');
    await first.click();
    assert.equal(await group('Price 1').getByLabel('Property').inputValue(), 'kept');
    await button('Remove Price for all others').click();
    await page().getByText('Events that no price is for are not billed').waitFor();
    await button('Add a price for all others').click();
    await group('Price for all others').waitFor();
    await fillPrice('Price 1', [' ', 'large', '1']);
    await button('Create plan').click();
    await group('Price 1').getByText('must not be empty').waitFor();
    const at_fault = group('Price 1').locator('input[aria-invalid=true]');
    assert.equal(await at_fault.count(), 1);
    assert.equal(await group('Price 1').getByLabel('Property').getAttribute('aria-invalid'), 'true');
    await page().getByLabel('Model').selectOption({ label: 'Percentage' });
    assert.equal(await page().getByLabel('Prices').count(), 0);
    assert.equal(await group('Price 1').count(), 0);
  });

  it('the page of the plan says what each price is for, and calculates with the chosen one', async () => {
    await visit(`/plans/${plan_id}`);
    assert.deepEqual((await rowsOf('Prices of completion')).slice(1), [
      'model large or larger 0.00001 USD',
      'model small 0.000001 USD',
      'all others 0.000008 USD',
    ]);
    await page().getByText('A line for each').waitFor();
    await page().getByLabel('Price for').selectOption({ label: 'all others' });
    await page().getByLabel('A period’s quantity').fill('1000000');
    await page().getByText('1,000,000 × 0.000008').waitFor();
    await page().getByText('8.00 USD').waitFor();
    await assertFits(page(), 'prices-plan');
  });

  it('a plan with tiers by price shows them by price', async () => {
    const prices = [
      { match: { model: ['large'], region: ['eu', 'us'] }, tiers: TIERS },
      { match: { model: ['small'], region: ['eu'] }, tiers: TIERS },
    ];
    const charge = { event_name: 'call', pricing_model: 'graduated' };
    const id = await plan([
      { ...charge, prices },
      { ...charge, name: 'All calls', aggregation: SUM, tiers: TIERS, group_by: ['model', 'region'] },
    ]);
    await visit(`/plans/${id}`);
    assert.deepEqual((await rowsOf('Tiers of call, model large; region eu or us')).slice(1), [
      '1,000 0.01 USD –',
      'all above 0.005 USD –',
    ]);
    await page().getByText('A line for each').waitFor();
    await page().getByText('model, region').waitFor();
    await page().getByRole('img', { name: 'Price of All calls' }).waitFor();
    await assertFits(page(), 'prices-tiers');
  });

  it('each line of an invoice is calculated by its own price, and the lines by region are apart', async () => {
    const id = await customer({ name: 'Acme' });
    await subscribe(id, plan_id);
    await use(id, [used('large', 1_000_000, 'eu'), used('large', 200_000), used('small', 5_000_000, 'eu')]);
    await use(id, [used('unknown', 100_000, 'us')]);
    const [invoice] = await advance(id, at('02-01'));
    invoice_id = invoice!.id;
    await visit(`/invoices/${invoice_id}`);
    const lines = [
      ['region eu', '1,000,000 × 0.00001 = 10.00'],
      ['no region', '200,000 × 0.00001 = 2.00'],
      ['model small', '5,000,000 × 0.000001 = 5.00'],
      ['other model', '100,000 × 0.000008 = 0.80'],
    ] as const;
    for (const [at_line, [title, words]] of lines.entries()) {
      const line = page().locator('.lines > li').nth(at_line);
      await line.locator('summary').getByText(title).click();
      await line.getByText(words).waitFor();
      await line.getByRole('link', { name: /evt_/ }).waitFor();
    }
    await assertFits(page(), 'prices-invoice');
  });

  it('the difference of a regeneration goes by price and group', async () => {
    const { customer_id } = await read(`/v1/invoices/${invoice_id}`);
    await use(customer_id, [used('small', 1_000_000, 'eu'), used('small', 2_000_000, 'us')]);
    await visit(`/invoices/${invoice_id}/regenerate`);
    await page().getByText('17.80').first().waitFor();
    const lines = await page().locator('.diff-line .badge').allInnerTexts();
    assert.deepEqual(lines, ['unchanged', 'unchanged', 'changed', 'added', 'unchanged']);
    await page().getByText('1 completion event, billed as Completion (model small; region us)').waitFor();
    await assertFits(page(), 'prices-regenerate');
  });

  it('an event without a price says so', async () => {
    const id = await customer();
    const prices = [{ match: { model: ['large'] }, unit_amount: '1' }];
    const charge = { event_name: 'completion', pricing_model: 'per_unit', prices };
    await subscribe(id, await plan([charge]));
    await use(id, [used('small', 1)]);
    const { data } = await read(`/v1/events?customer_id=${id}`);
    await visit(`/events/${data[0].id}`);
    await page().getByText('none of its prices is for the properties of the event').waitFor();
    await page().getByRole('row', { name: 'completion completion a price: model large' }).waitFor();
  });

  it('no page logged an error', () => window.assertQuiet());
});
