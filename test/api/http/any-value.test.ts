import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rollUp } from '../../../src/db/reports/roll-up.ts';
import { aggregate, countSkipped, decimalText, wants } from '../../lives/model/usage.ts';
import type { Charge } from '../../lives/model/world.ts';
import { startApi, type Json, type TestApi } from '../../support/servers/api.ts';
import { at, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { assertSound } from '../../support/ledger/sound.ts';

type Value = null | boolean | number | string | Value[] | { [name: string]: Value };

const JANUARY = { from: at('01-01'), to: at('02-01') };
const RANGE = `from=${JANUARY.from}&to=${JANUARY.to}`;
const EDGE = 40;
const RUNS = 12;

/** Decimals of every length around the limit, with zeros at both ends. */
const aDecimal = fc
  .record({
    sign: fc.constantFrom('', '-'),
    zeros_before: fc.constantFrom(0, 0, 1, 60),
    whole: fc.integer({ min: 1, max: EDGE + 2 }),
    places: fc.constantFrom(0, 0, 1, 2, 29, 30, 31),
    zeros_behind: fc.constantFrom(0, 0, 1, 60),
    digit: fc.constantFrom('1', '5', '9'),
  })
  .map(({ sign, zeros_before, whole, places, zeros_behind, digit }) => {
    const fraction = digit.repeat(places) + '0'.repeat(zeros_behind);
    return `${sign}${'0'.repeat(zeros_before)}${digit.repeat(whole)}${fraction === '' ? '' : `.${fraction}`}`;
  });
const aNumber = fc.oneof(
  fc.integer(),
  fc.integer({ min: -999, max: 999 }).map((cents) => cents / 100),
  fc.constantFrom(0, -0, 1e21, -1e21, 1e99, 1e100, 1.7976931348623157e308, 1.5e-7, 1e-30, 1e-31, 5e-324),
);
const aLongText = fc
  .tuple(fc.constantFrom('', '0.', '-', '漢', '1e', ' '), fc.constantFrom(101, 5000, 60_000))
  .map(([before, digits]) => before + '7'.repeat(digits));
const aText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\0', '')),
  fc.constantFrom('', ' 1', '1e3', '٣', '1,5', '+1', '.5', '5.', 'NaN', 'Infinity', '0x10', '𝟗', 'بيروت'),
  aLongText,
);
const { value: aValue } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    aNumber,
    aDecimal,
    aText,
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'n', '$', ''), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
}));

/** Values that fit in the 64 KiB of an event's properties. */
const aFittingValue = aValue.filter((value) => Buffer.byteLength(JSON.stringify(value)) < 64_000);

const of = (type: 'sum' | 'max' | 'latest' | 'unique') => ({ type, property: 'n' }) as const;
const COUNT = { type: 'count' } as const;
const UNIT = { pricing_model: 'per_unit', unit_amount: '0.000000000000001' } as const;
const FILTERS = { n: ['9', 1, true, '', 1e21, 1e-30] };

/** Every aggregation and five pricing models, with and without filters. */
const CHARGES = [
  { aggregation: of('sum'), pricing_model: 'graduated', tiers: TIERS },
  { aggregation: of('max'), pricing_model: 'volume', tiers: TIERS },
  { aggregation: of('latest'), pricing_model: 'package', package_size: '0.3', package_amount: '1' },
  { aggregation: of('unique'), ...UNIT },
  { aggregation: COUNT, ...UNIT },
  { aggregation: of('sum'), filters: { region: ['eu'] }, pricing_model: 'credit', credits_per_unit: '0.1' },
  { aggregation: of('latest'), filters: FILTERS, ...UNIT },
  { aggregation: COUNT, filters: FILTERS, ...UNIT },
].map((charge) => ({ event_name: 'use', filters: null, ...charge }));

describe('any value of a property', function () {
  this.timeout(180_000);
  let api: TestApi;
  let plan_id: string;
  let neighbours_plan_id: string;
  const { customer, done, get, grant, plan, read, subscribe, use } = testCustomersOn((path, sent) =>
    api.request(path, sent),
  );
  before(async () => {
    api = await startApi();
    plan_id = await plan(CHARGES);
    neighbours_plan_id = await plan([
      { ...CHARGES[0], pricing_model: 'per_unit', unit_amount: '1', tiers: null },
    ]);
  });
  after(async () => {
    await assertSound(api.pool);
    await api.close();
  });

  async function subscribed(plan: string): Promise<{ customer_id: string; subscription: string }> {
    const customer_id = await customer({}, at('02-01'));
    const { id } = await subscribe(customer_id, plan, { start_date: at('01-01') });
    return { customer_id, subscription: id };
  }

  const billed = async (subscription_id: string): Promise<Json> =>
    (await done('/v1/invoices/generate', { subscription_id })).data[0];

  /** Sends every request that reads the customer's events; each must succeed. */
  async function readEverything(customer_id: string, event_ids: readonly string[]): Promise<void> {
    for (const id of event_ids) assert.ok((await read(`/v1/events/${id}`)).billing.length > 0);
    await read(`/v1/events?customer_id=${customer_id}`);
    for (const group of ['', '&group_by=day', '&group_by=property:n', '&group_by=property:region'])
      await read(`/v1/customers/${customer_id}/usage?${RANGE}${group}`);
    await read(`/v1/usage-report?${RANGE}&customer_id=${customer_id}`);
  }

  async function readInvoice({ id, line_items }: Json): Promise<void> {
    await read(`/v1/invoices/${id}`);
    for (const { id: line } of line_items) await read(`/v1/invoices/${id}/line-items/${line}/events`);
    assert.equal((await get(`/v1/invoices/${id}.pdf`)).status, 200);
  }

  it('is counted or skipped as billing.md says, breaks no request, and does not affect the invoice of another customer', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(aFittingValue, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (values, rolled_up) => {
          const { customer_id, subscription } = await subscribed(plan_id);
          await grant(customer_id, 3);
          const events = values.map((n, hour) => ({
            event_name: 'use',
            timestamp: at(`01-10T0${hour}:00`),
            stored_at: at('02-01'),
            properties: { n, region: hour === 0 ? 'eu' : 'us' },
          }));
          const sent = events.map(({ stored_at: _, ...event }) => event);
          const stored = await use(customer_id, sent);
          if (rolled_up) while (await rollUp(api.pool));
          await readEverything(
            customer_id,
            stored.events.map(({ id }: Json) => id),
          );
          const upcoming = await read(`/v1/subscriptions/${subscription}/upcoming-invoice`);
          const invoice = await billed(subscription);
          const expected = CHARGES.map((charge) => {
            const { event_name, aggregation, filters } = charge;
            const rule: Charge = { event_name, aggregation, filters, pricing: UNIT };
            const wanted = events.filter((event) => wants(rule, event));
            return [decimalText(aggregate(rule, wanted)), countSkipped(rule, wanted)];
          });
          for (const { line_items } of [upcoming, invoice])
            assert.deepEqual(
              line_items.map(({ quantity, skipped_events }: Json) => [quantity, skipped_events]),
              expected,
            );
          await readInvoice(invoice);
          const { data: grants } = await read(`/v1/credit-grants?customer_id=${customer_id}`);
          assert.equal(grants.length, 1);

          const neighbour = await subscribed(neighbours_plan_id);
          await use(neighbour.customer_id, [
            { event_name: 'use', timestamp: at('01-10'), properties: { n: 2 } },
          ]);
          if (rolled_up) while (await rollUp(api.pool));
          assert.equal((await billed(neighbour.subscription)).total, '2.00');
        },
      ),
      { numRuns: RUNS },
    );
  });
});
