import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { CREDIT_FIGURES, FIGURES, type Figure } from '../../support/ledger/figures.ts';
import {
  at,
  FLAT,
  later,
  testCustomersOn,
  PER_UNIT,
  requestsTo,
  times,
  type Use,
} from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

const PATH = '/v1/invoices';

describe('invoices', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, grant, plan, read, subscribe, use } = lives;

  /** A new customer, billed for January. */
  async function january(options: {
    charges: object[];
    events?: Use[];
    customer?: object;
    currency?: string;
    granted?: number;
    hold_drafts?: boolean;
  }): Promise<Json> {
    const { currency = 'USD', events = [], granted = 0, hold_drafts = false } = options;
    const customer_id = await customer({ currency, ...options.customer });
    await subscribe(customer_id, await plan(options.charges, { currency }));
    if (granted > 0) await grant(customer_id, granted, { rollover: true });
    if (events.length > 0) await use(customer_id, events);
    const invoices = await advance(customer_id, at('02-01'), { hold_drafts });
    assert.equal(invoices.length, 1);
    return invoices[0];
  }

  /** Makes for each figure a charge that sums a property of its own event, and the events. */
  const summed = (figures: readonly Figure[]) => ({
    charges: figures.map(({ charge }, place) => ({
      event_name: `event-${place}`,
      aggregation: { type: 'sum', property: 'units' },
      ...charge,
    })),
    events: figures.flatMap(({ units }, place) =>
      units === null ? [] : [{ event_name: `event-${place}`, properties: { units } }],
    ),
  });

  const titleOf = ({ pricing_model }: Figure['charge'], units: string | null) =>
    `${pricing_model}, ${units ?? 'no'} units`;
  const assertSays = (line: Json, says: object) =>
    assert.deepEqual(Object.fromEntries(Object.keys(says).map((name) => [name, line[name]])), says);

  describe('have the figures of billing.md', () => {
    let invoice: Json;
    let covered: Json[];
    before(async () => {
      const ofCredit = CREDIT_FIGURES.map(({ granted, ...figure }) =>
        january({ ...summed([figure]), granted }),
      );
      [invoice, ...covered] = await Promise.all([january(summed(FIGURES)), ...ofCredit]);
    });

    for (const [place, { charge, units, says }] of FIGURES.entries()) {
      it(`${titleOf(charge, units)}: ${says.amount}`, () => assertSays(invoice.line_items[place], says));
    }
    it('and the lines sum to the subtotal', () => {
      const cents = (amount: string) => Math.round(Number(amount) * 100);
      const sum = invoice.line_items.reduce((total: number, line: Json) => total + cents(line.amount), 0);
      assert.deepEqual([cents(invoice.subtotal), invoice.total], [sum, invoice.subtotal]);
    });

    for (const [place, { granted, charge, units, says }] of CREDIT_FIGURES.entries()) {
      it(`${titleOf(charge, units)} with ${granted} credits: ${says.amount}`, () => {
        const { credits_applied, line_items } = covered[place];
        assertSays(line_items[0], says);
        assert.equal(credits_applied, line_items[0].credits_applied);
      });
    }
  });

  it('counts by each aggregation, and says how many events were skipped', async () => {
    const properties = [
      { n: 3, user: 'a' },
      { n: '4.50', user: 1 },
      { n: 'x', user: '1' },
      { user: null },
      { n: -1 },
    ];
    const COUNTED: [type: string, property: string | undefined, quantity: string, skipped: number][] = [
      ['count', undefined, '5', 0],
      ['sum', 'n', '6.5', 2],
      ['max', 'n', '4.5', 2],
      ['unique', 'user', '2', 2],
      ['latest', 'n', '0', 2],
    ];
    const { line_items } = await january({
      charges: COUNTED.map(([type, property]) => ({ ...PER_UNIT, aggregation: { type, property } })),
      events: properties.map((sent, place) => ({ timestamp: at(`01-01T0${place}:00`), properties: sent })),
    });
    assert.deepEqual(
      line_items.map(({ aggregation, quantity, skipped_events }: Json) => [
        aggregation.type,
        aggregation.property,
        quantity,
        skipped_events,
      ]),
      COUNTED,
    );
  });

  type Says = { subtotal: string; tax: Json; total: string };
  const taxed = (rate: string, amount: string) => ({ rate, amount, treatment: 'standard', note: null });
  const FORMS: [currency: string, tax_rate: string, says: Says, nothing: string, tiers: string[]][] = [
    [
      'USD',
      '7.70',
      { subtotal: '3.51', tax: taxed('7.7', '0.27'), total: '3.78' },
      '0.00',
      ['1.00', '1.5075'],
    ],
    ['JPY', '12.5', { subtotal: '4', tax: taxed('12.5', '1'), total: '5' }, '0', ['1', '1.5075']],
    [
      'KWD',
      '0',
      { subtotal: '3.508', tax: taxed('0', '0.000'), total: '3.508' },
      '0.000',
      ['1.000', '1.5075'],
    ],
  ];
  for (const [currency, tax_rate, says, nothing, tiers] of FORMS) {
    it(`amounts of ${currency} have its minor digits; amounts of tiers are exact`, async () => {
      const graduated = [
        { up_to: 1, unit_amount: 1 },
        { up_to: null, unit_amount: '0.50250', flat_amount: '1.005' },
      ];
      const invoice = await january({
        charges: [
          { event_name: 'api_call', pricing_model: 'graduated', tiers: graduated },
          { ...FLAT, flat_amount: 1 },
        ],
        events: times(2, {}),
        currency,
        customer: { tax_rate },
      });
      assertSays(invoice, {
        ...says,
        currency,
        status: 'open',
        amount_due: says.total,
        amount_paid: nothing,
      });
      assert.deepEqual(
        invoice.line_items[0].tiers.map(({ amount }: Json) => amount),
        tiers,
      );
    });
  }

  describe('credit', () => {
    const drawn = async (grants: Json[]) =>
      Promise.all(
        grants.map(async ({ id }) => {
          const { remaining, status, ledger } = await read(`/v1/credit-grants/${id}`);
          return [remaining, status, ...ledger.slice(1).map(({ type, amount }: Json) => `${type} ${amount}`)];
        }),
      );

    it('is used charge by charge in the order of the plan', async () => {
      const SMS = { ...PER_UNIT, event_name: 'sms' };
      const { line_items } = await january({
        charges: [SMS, FLAT, PER_UNIT],
        events: [...times(10, {}), ...times(10, { event_name: 'sms' })],
        granted: 15,
      });
      assert.deepEqual(
        line_items.map(({ credits_applied, amount }: Json) => [credits_applied, amount]),
        [
          ['10', '0.00'],
          ['0', '49.00'],
          ['5', '5.00'],
        ],
      );
    });

    it('comes from the earliest expiry first, then from grants that do not roll over, then from the oldest', async () => {
      const customer_id = await customer();
      await subscribe(customer_id, await plan([PER_UNIT]));
      const grants = [
        await grant(customer_id, 10, { rollover: true }),
        await grant(customer_id, 10, { expires_in_days: 31, rollover: true }),
        await grant(customer_id, 10),
        await grant(customer_id, 10, { expires_in_days: 20 }),
        await grant(customer_id, 10, { expires_in_days: 31, rollover: true }),
      ];
      await use(customer_id, times(35, {}));
      await advance(customer_id, at('02-01'));
      assert.deepEqual(await drawn(grants), [
        [10, 'active'],
        [0, 'depleted', 'drawn -10'],
        [0, 'depleted', 'drawn -10'],
        [0, 'depleted', 'drawn -10'],
        [0, 'expired', 'drawn -5', 'expired -5'],
      ]);
    });

    it('covers usage before its expiry, to the millisecond', async () => {
      const customer_id = await customer();
      await subscribe(customer_id, await plan([PER_UNIT]));
      const granted = await grant(customer_id, 10, { expires_in_days: 10 });
      await advance(customer_id, at('01-20'));
      await use(customer_id, times(3, { timestamp: later(at('01-11'), -1) }));
      await use(customer_id, times(4, { timestamp: at('01-11') }));
      const [invoice] = await advance(customer_id, at('02-01'));
      assert.deepEqual([invoice.credits_applied, invoice.total], ['3', '4.00']);
      assert.deepEqual(await drawn([granted]), [[0, 'expired', 'drawn -3', 'expired -7']]);
    });

    it('covers periods that end after the grant was made, whenever they are invoiced', async () => {
      const [draft] = [await january({ charges: [PER_UNIT], events: times(5, {}), hold_drafts: true })];
      const granted = await grant(draft.customer_id, 10, { rollover: true });
      const { status, credits_applied } = await done(`${PATH}/${draft.id}/finalize`);
      assert.deepEqual([status, credits_applied], ['open', '0']);
      await use(draft.customer_id, times(5, {}));
      await advance(draft.customer_id, at('03-01'));
      assert.deepEqual(await drawn([granted]), [[5, 'active', 'drawn -5']]);
    });

    it('is shown on a draft, and drawn when it is issued', async () => {
      const customer_id = await customer();
      await subscribe(customer_id, await plan([PER_UNIT]));
      const granted = await grant(customer_id, 10, { rollover: true });
      await use(customer_id, times(4, {}));
      const [draft] = await advance(customer_id, at('02-01'), { hold_drafts: true });
      assert.deepEqual([draft.status, draft.credits_applied], ['draft', '4']);
      assert.deepEqual(await drawn([granted]), [[10, 'active']]);
      const [line] = (await done(`${PATH}/${draft.id}/finalize`)).line_items;
      const { ledger } = await read(`/v1/credit-grants/${granted.id}`);
      assert.deepEqual(ledger[1], {
        type: 'drawn',
        amount: -4,
        invoice_id: draft.id,
        line_item_id: line.id,
        created_at: at('02-01'),
      });
    });
  });
});
