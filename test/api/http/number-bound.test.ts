import assert from 'node:assert/strict';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { at, testCustomersOn, type Use } from '../../support/ledger/test-customer.ts';
import { assertSound } from '../../support/ledger/sound.ts';

const SUM = { event_name: 'api_call', pricing_model: 'per_unit', unit_amount: '1' };
const sumOf = (property: string) => ({ ...SUM, aggregation: { type: 'sum', property } });
const nines = (digits: number) => '9'.repeat(digits);
const zeros = (digits: number) => '0'.repeat(digits);

/** billing.md 2: up to 40 significant digits and 30 places. Zeros at both ends do not count, but a text has at most 100 characters. */
const NUMBERS: readonly (string | number)[] = [
  nines(40),
  `-${nines(40)}`,
  `${nines(10)}.${nines(30)}`,
  `0.${nines(30)}`,
  `${zeros(90)}1.50`,
  `1.5${zeros(90)}`,
  `0.${zeros(29)}1${zeros(60)}`,
  `1${zeros(99)}`,
  `${nines(40)}${zeros(60)}`,
  1e21,
  1e99,
  1e-30,
  123456789012345680000,
];
const NO_NUMBERS: readonly (string | number)[] = [
  nines(41),
  `1${zeros(39)}1`,
  `${nines(11)}.${nines(30)}`,
  `0.${nines(31)}`,
  `0.${zeros(30)}1`,
  `${zeros(100)}1`,
  `1.5${zeros(98)}`,
  `-1${zeros(99)}`,
  `1${zeros(100)}`,
  1e100,
  -1e99,
  1e-31,
  5e-324,
  1.7976931348623157e308,
  `0.${nines(16_384)}`,
  nines(60_000),
];

describe('a property with more digits than a number may have', function () {
  let api: TestApi;
  const { customer, done, get, plan, read, subscribe, use } = testCustomersOn((path, sent) =>
    api.request(path, sent),
  );
  before(async () => void (api = await startApi()));
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  const rollAllUp = async () => {
    while (await rollUp(api.pool));
  };

  /** A customer subscribed since January, with events of January. */
  async function subscribed(charges: object[], events: readonly Use[]) {
    const customer_id = await customer({}, at('02-01'));
    const { id } = await subscribe(customer_id, await plan(charges), { start_date: at('01-01') });
    const january = events.map((event) => ({ timestamp: at('01-10'), ...event }));
    const { events: stored } = await use(customer_id, january);
    return { customer_id, subscription_id: id, event_ids: stored.map((event: Json) => event.id) };
  }

  async function billed(subscription_id: string): Promise<Json> {
    return (await done('/v1/invoices/generate', { subscription_id })).data[0];
  }

  const saidOf = ({ total, line_items: [line] }: Json) => [total, line.quantity, line.skipped_events];

  for (const [name, value] of [
    ['V1: 16,384 places', `0.${nines(16_384)}`],
    ['V2: 60,000 nines', nines(60_000)],
  ] as const)
    it(`${name}: is skipped, and all customers are rolled up and billed`, async () => {
      const n = name.slice(0, 2);
      const bad = await subscribed([sumOf(n)], [{ properties: { [n]: value } }, { properties: { [n]: 2 } }]);
      await rollAllUp();
      const neighbour = await subscribed([sumOf(n)], [{ properties: { [n]: 3 } }]);
      await rollAllUp();
      assert.equal((await read(`/v1/customers/${bad.customer_id}`)).external_id, bad.customer_id);
      const { billing } = await read(`/v1/events/${bad.event_ids[0]}`);
      assert.deepEqual([billing[0].status, billing[0].reason], ['unrated', 'property_not_usable']);
      const invoice = await billed(bad.subscription_id);
      assert.deepEqual(saidOf(invoice), ['2.00', '2', 1]);
      assert.equal((await get(`/v1/invoices/${invoice.id}.pdf`)).status, 200);
      assert.deepEqual(saidOf(await billed(neighbour.subscription_id)), ['3.00', '3', 0]);
    });

  it('is counted up to the limit and skipped beyond it, wherever it is read as a number', async () => {
    const values = [...NUMBERS, ...NO_NUMBERS];
    const charges = values.map((_, place) => sumOf(`n${place}`));
    const events = values.map((value, place) => ({ properties: { [`n${place}`]: value } }));
    const { subscription_id, customer_id, event_ids } = await subscribed(charges, events);
    await rollAllUp();
    const reasons: Json[] = [];
    for (const [place, id] of event_ids.entries()) {
      const { billing } = await read(`/v1/events/${id}`);
      reasons.push(billing[place].reason);
    }
    const expected = [...NUMBERS.map(() => null), ...NO_NUMBERS.map(() => 'property_not_usable')];
    assert.deepEqual(reasons, expected);
    const { data: usage } = await read(
      `/v1/customers/${customer_id}/usage?from=${at('01-01')}&to=${at('02-01')}`,
    );
    const { line_items } = await billed(subscription_id);
    const isZero = (quantity: string) => quantity === '0';
    const no_number = values.map((value, place) => place >= NUMBERS.length || `${value}`.startsWith('-'));
    assert.deepEqual(
      usage.map(({ quantity }: Json) => isZero(quantity)),
      no_number,
    );
    assert.deepEqual(
      line_items.map(({ quantity }: Json) => isZero(quantity)),
      no_number,
    );
    // Each line skips all events but one, because they lack its property.
    const others = values.length - 1;
    const skipped = values.map((_, place) => others + Number(place >= NUMBERS.length));
    assert.deepEqual(
      line_items.map(({ skipped_events }: Json) => skipped_events),
      skipped,
    );
  });
});
