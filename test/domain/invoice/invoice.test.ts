import assert from 'node:assert/strict';
import { ALL } from '../../../src/domain/pricing/series.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import { APRIL, compose, used } from '../../support/ledger/april-invoice.ts';
import { aGrantBalance } from '../../support/ledger/grant-balances.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { midnight } from '../../support/ledger/schedules.ts';

const FLAT = aCharge({
  id: 'chg_flat',
  name: 'Base fee',
  pricing: { pricing_model: 'flat', flat_amount: '49' },
});

describe('an invoice', () => {
  it('has one complete line for each charge, in plan order', () => {
    const calls = aCharge({ id: 'chg_calls', pricing: { pricing_model: 'graduated', tiers: TIERS } });
    const bytes = aCharge({
      id: 'chg_bytes',
      event_name: 'transfer',
      aggregation: { type: 'sum', property: 'bytes' },
      pricing: { pricing_model: 'per_unit', unit_amount: '0.0005' },
    });
    const usage = new Map([
      ['chg_bytes', used('30.0', {}, 2)],
      ['chg_calls', used('15000')],
    ]);
    const grants = [aGrantBalance({ id: 'cg_a', remaining: '3000' })];
    const invoice = compose({
      charges: [calls, FLAT, bytes],
      usage,
      grants,
      tax: taxTermsOf('standard', '8.250'),
    });
    const { period_start, period_end } = APRIL;
    const dates = {
      ...{ period_start, period_end, full_period_start: period_start, invoice_item: null },
      ...{ discounts: [], amount_before: null },
    };
    assert.deepEqual(invoice, {
      line_items: [
        {
          type: 'usage',
          charge_id: 'chg_calls',
          ...ALL,
          event_name: 'api_call',
          description: 'Api call: 15,000 events, 3,000 of them covered by credit, from 1 to 30 April 2026',
          pricing_model: 'graduated',
          aggregation: { type: 'count' },
          quantity: '15000',
          skipped_events: 0,
          credits_applied: '3000',
          billable_quantity: '12000',
          tiers: [
            { up_to: '1000', quantity: '1000', unit_amount: '0.1', flat_amount: '0.00', amount: '100.00' },
            { up_to: '10000', quantity: '9000', unit_amount: '0.05', flat_amount: '5.00', amount: '455.00' },
            { up_to: null, quantity: '2000', unit_amount: '0.01', flat_amount: '0.00', amount: '20.00' },
          ],
          amount: '575.00',
          ...dates,
        },
        {
          type: 'flat',
          charge_id: 'chg_flat',
          ...ALL,
          event_name: 'api_call',
          description: 'Base fee, from 1 to 30 April 2026',
          pricing_model: 'flat',
          aggregation: null,
          quantity: '1',
          skipped_events: 0,
          credits_applied: '0',
          billable_quantity: '1',
          tiers: null,
          amount: '49.00',
          ...dates,
        },
        {
          type: 'usage',
          charge_id: 'chg_bytes',
          ...ALL,
          event_name: 'transfer',
          description: 'Transfer: 30 (sum of bytes), from 1 to 30 April 2026',
          pricing_model: 'per_unit',
          aggregation: { type: 'sum', property: 'bytes' },
          quantity: '30',
          skipped_events: 2,
          credits_applied: '0',
          billable_quantity: '30',
          tiers: null,
          amount: '0.02',
          ...dates,
        },
      ],
      credit: [
        {
          grant_id: 'cg_a',
          charge_id: 'chg_calls',
          series: ALL,
          full_period_start: period_start,
          amount: '3000',
        },
      ],
      draws: [
        {
          grant_id: 'cg_a',
          charge_id: 'chg_calls',
          series: ALL,
          full_period_start: period_start,
          amount: '3000',
        },
      ],
      returns: [],
      corrections: [],
      excess_minimums: [],
      shares: [],
      splits: [],
      waiting: [],
      // 575.00 + 49.00 + 0.02; 8.25 percent of it is 51.4816...
      subtotal: '624.02',
      tax: { rate: '8.25', amount: '51.48', treatment: 'standard', note: null },
      total: '675.50',
      credits_applied: '3000',
    });
  });

  it('throws if the usage of a charge is missing, instead of billing zero', () => {
    assert.throws(() => compose({ usage: new Map() }), /usage of charge chg_1 was not counted/);
  });

  it('bills a flat charge of a cut period by exact time: 11 of 30 days of 49.00 are 17.97', () => {
    const period = { ...APRIL, period_start: midnight('2026-04-20') };
    const [line] = compose({ charges: [FLAT], period }).line_items;
    assert.deepEqual([line?.amount, line?.quantity, line?.billable_quantity], ['17.97', '1', '1']);
  });

  const taxes: [subtotal: string, currency: string, rate: string, tax: string, total: string][] = [
    ['0.02', 'USD', '25', '0.01', '0.03'],
    ['0.1', 'USD', '5', '0.01', '0.11'],
    ['0.09', 'USD', '5', '0.00', '0.09'],
    ['50', 'JPY', '3', '2', '52'],
    ['1.234', 'KWD', '10', '0.123', '1.357'],
    ['100', 'USD', '100', '100.00', '200.00'],
    ['100', 'USD', '0', '0.00', '100.00'],
  ];
  for (const [subtotal, currency, tax_rate, tax, total] of taxes) {
    it(`of ${subtotal} ${currency} at ${tax_rate} percent: tax ${tax}, total ${total}`, () => {
      const charges = [aCharge({ pricing: { pricing_model: 'per_unit', unit_amount: '1' } })];
      const invoice = compose({
        charges,
        usage: new Map([['chg_1', used(subtotal)]]),
        currency,
        tax: taxTermsOf('standard', tax_rate),
      });
      assert.deepEqual([invoice.tax.amount, invoice.total], [tax, total]);
    });
  }

  it('rounds tax on the subtotal, not on the lines: 3 x 0.10 at 5 percent is 0.02, not 3 x 0.01', () => {
    const charges = ['chg_1', 'chg_2', 'chg_3'].map((id) => aCharge({ id }));
    const usage = new Map(charges.map(({ id }) => [id, used('1')]));
    const invoice = compose({ charges, usage, tax: taxTermsOf('standard', '5') });
    assert.deepEqual([invoice.subtotal, invoice.tax.amount, invoice.total], ['0.30', '0.02', '0.32']);
  });
});

describe('credit on an invoice', () => {
  const aThousandAt = (id: string, unit_amount: string) =>
    aCharge({ id, pricing: { pricing_model: 'per_unit', unit_amount } });

  it('is used charge by charge in plan order, not where it saves most', () => {
    const charges = [aThousandAt('chg_a', '0.01'), FLAT, aThousandAt('chg_b', '0.10')];
    const usage = new Map([
      ['chg_a', used('800')],
      ['chg_b', used('800')],
    ]);
    const invoice = compose({ charges, usage, grants: [aGrantBalance({ remaining: '1000' })] });
    assert.deepEqual(
      invoice.line_items.map(({ credits_applied, amount }) => [credits_applied, amount]),
      [
        ['800', '0.00'],
        ['0', '49.00'],
        ['200', '60.00'],
      ],
    );
    assert.equal(invoice.credits_applied, '1000');
  });

  it('that expires in the period covers the earlier usage of each charge', () => {
    const charges = [FLAT, aThousandAt('chg_a', '1'), aThousandAt('chg_b', '1')];
    const usage = new Map([
      ['chg_a', used('800', { '2026-04-11': '300' })],
      ['chg_b', used('800', { '2026-04-11': '900' })],
    ]);
    const grants = [
      aGrantBalance({ id: 'cg_never', remaining: '50' }),
      aGrantBalance({ id: 'cg_11', expires_at: midnight('2026-04-11') }),
    ];
    const draws = compose({ charges, usage, grants }).draws.map(({ full_period_start: _, ...draw }) => draw);
    assert.deepEqual(draws, [
      { grant_id: 'cg_11', charge_id: 'chg_a', series: ALL, amount: '300' },
      { grant_id: 'cg_never', charge_id: 'chg_a', series: ALL, amount: '50' },
      // 900 were used before a correction, 800 after it: 700 of the 1,000 remain.
      { grant_id: 'cg_11', charge_id: 'chg_b', series: ALL, amount: '700' },
    ]);
  });

  it('comes off after the free units of a package, also for usage before its expiry', () => {
    const pricing = {
      pricing_model: 'package',
      package_size: '1000',
      package_amount: '10',
      free_units: '100',
    } as const;
    const usage = new Map([['chg_1', used('1200', { '2026-04-11': '400' })]]);
    const grants = [aGrantBalance({ expires_at: midnight('2026-04-11') })];
    const [line] = compose({ charges: [aCharge({ pricing })], usage, grants }).line_items;
    // Covered: 400 - 100 = 300. Charged: 1,200 - 100 - 300 = 800.
    assert.deepEqual([line?.credits_applied, line?.billable_quantity, line?.amount], ['300', '800', '10.00']);
  });

  it('is counted in the units of the model credit: 12,500 needed, 10,000 granted, 2,500 short at 0.002', () => {
    const pricing = {
      pricing_model: 'credit',
      credits_per_unit: '10',
      overage_unit_amount: '0.002',
    } as const;
    const usage = new Map([['chg_1', used('1250')]]);
    const [line] = compose({
      charges: [aCharge({ pricing })],
      usage,
      grants: [aGrantBalance({ remaining: '10000' })],
    }).line_items;
    assert.deepEqual(
      [line?.credits_applied, line?.billable_quantity, line?.amount],
      ['10000', '2500', '5.00'],
    );
  });
});
