import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { choose, takePicture, useBrowser, type Window, signIn } from '../../support/servers/browser.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const day = (text: string) => at(text).slice(0, 10);

describe('the form for a subscription', () => {
  const stack = useStack();
  const { advance, customer, plan, read } = testCustomersOn(requestsTo(stack));
  const openWindow = useBrowser();
  let window: Window;
  let customer_id: string;
  const page = () => window.page;
  before(async () => {
    window = await openWindow();
    customer_id = await customer();
    await stack().pool.query(`update customers set timezone = 'Europe/Berlin' where external_id = $1`, [
      customer_id,
    ]);
    await plan([FLAT], { name: 'Weekly', interval: 'week' });
    for (const name of ['A', 'B', 'C']) await plan([FLAT], { name });
    await signIn(page(), stack());
  });

  /** Opens the form, fills it and sends it; returns the new subscription. */
  async function subscribe(plan_name: string, fill: () => Promise<void>): Promise<Json> {
    const path = `/v1/subscriptions?customer_id=${customer_id}`;
    const { length } = (await read(path)).data;
    await page().goto(`${stack().api_url}/customers/${customer_id}?mode=test`);
    await page().getByRole('button', { name: 'Add a subscription' }).click();
    await choose(page(), 'Plan', plan_name);
    await fill();
    await takePicture(page(), `new-subscription-${plan_name.toLowerCase()}`);
    await page().getByRole('button', { name: 'Subscribe' }).click();
    await page().getByRole('dialog').waitFor({ state: 'hidden' });
    const { data } = await read(path);
    assert.equal(data.length, length + 1);
    return data[0];
  }

  it('starts today at midnight in the time zone of the customer, where nothing else is asked for', async () => {
    const { start_date, billing_anchor, current_period_end } = await subscribe('A', async () => {});
    assert.deepEqual(
      [start_date, billing_anchor, current_period_end],
      [at('12-31T23:00', -1), null, at('01-31T23:00')],
    );
    await page()
      .getByText(`${day('01-01')} to ${day('01-31')} Europe/Berlin`)
      .first()
      .waitFor();
  });

  it('bills on the first of the month from another day on', async () => {
    const { id, start_date, current_period_end } = await subscribe('B', async () => {
      await page().getByLabel('Starts on').fill(day('03-15'));
      await page().getByLabel('Bill on').selectOption('the first of the month');
      await page().getByLabel('Trial until').fill(day('03-20'));
    });
    assert.deepEqual([start_date, current_period_end], [at('03-14T23:00'), at('03-19T23:00')]);
    const invoices = await advance(customer_id, at('03-31T22:00'));
    const invoice = invoices.find(
      ({ subscription_id, period_end }) => subscription_id === id && period_end === at('03-31T22:00'),
    );
    assert.ok(invoice !== undefined);
    await page().goto(`${stack().api_url}/subscriptions/${id}?mode=test`);
    await page()
      .getByText(`${day('03-20')} to ${day('03-31')} Europe/Berlin`)
      .first()
      .waitFor();
    await takePicture(page(), 'subscription-of-a-zone');
    await page().goto(`${stack().api_url}/invoices/${invoice.id}?mode=test`);
    await page()
      .getByText(`${day('03-20')} to ${day('03-31')} Europe/Berlin`)
      .first()
      .waitFor();
    await page()
      .getByText(/from 20 to 31 March \d+, a part of the period from 1 to 31 March \d+ \(Europe\/Berlin\)/)
      .waitFor();
    await takePicture(page(), 'invoice-of-a-zone');
  });

  it('starts at a time of day that is asked for, or now', async () => {
    const timed = await subscribe('C', async () => {
      await page().getByLabel('Starts on').fill(day('03-31'));
      await page().getByLabel('At (UTC)').fill('09:30');
    });
    assert.equal(timed.start_date, at('03-31T09:30'));
    const now = await subscribe('A', () => page().getByLabel('Starts on').fill(''));
    assert.equal(now.start_date, at('03-31T22:00'));
  });

  it('offers no first of the month for weeks', async () => {
    const { current_period_end } = await subscribe('Weekly', async () => {
      await page().getByLabel('Bill on').waitFor({ state: 'detached' });
      await page().getByLabel('Starts on').fill(day('04-01'));
    });
    assert.equal(current_period_end, at('04-07T22:00'));
    window.assertQuiet();
  });
});
