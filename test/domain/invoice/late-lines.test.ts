import assert from 'node:assert/strict';
import { composeInvoice } from '../../../src/domain/invoice/invoice.ts';
import type { OtherLine, Usage } from '../../../src/domain/lines/line-item.ts';
import { NO_DISCOUNTS } from '../../../src/domain/pricing/discount.ts';
import { aCharge } from '../../support/ledger/plans.ts';
import { aPeriod } from '../../support/ledger/schedules.ts';
import { taxTermsOf } from '../../../src/domain/money/tax.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

const PERIODS = {
  february: aPeriod('2026-02-01', '2026-03-01'),
  march: aPeriod('2026-03-01', '2026-04-01'),
  april: aPeriod('2026-04-01', '2026-05-01'),
};

/** Units that all lines of a period hold together, and the units of the one earlier line; 1.00 per unit. */
function counted(units: number, billed: number): Usage {
  const others = billed === 0 ? [] : [aLineOf(billed, `${billed}.00`)];
  return { quantity: `${units}`, quantity_before: new Map(), skipped_events: 0, others, previous_draws: [] };
}

function aLineOf(units: number, amount: string): OtherLine {
  const money = { amount, credited: '0', amount_before: null };
  return { quantity: `${units}`, billable_quantity: `${units}`, ...money, provisional_credit: '0' };
}

const usageOf = (name: keyof typeof PERIODS, usage: Usage) => ({
  full_period: PERIODS[name],
  usage: new Map([['chg_1', usage]]),
  discounting: NO_DISCOUNTS,
  currency: 'USD',
  timezone: 'UTC',
});

type Late = [period: 'february' | 'march', units: number, billed: number];

/** billing.md 5: a late line that would take the subtotal below zero, once all others are added, has the amount 0 and is credited. */
describe('late lines of an invoice', () => {
  const ROWS: [why: string, own: number | null, late: Late[], amounts: string, credited: string][] = [
    ['a negative late line lowers the invoice', 10, [['march', 5, 8]], '10.00 -3.00', ''],
    ['a negative late line may lower it to zero', 3, [['march', 5, 8]], '3.00 -3.00', ''],
    [
      'a late line that would make the invoice negative is credited',
      2,
      [['march', 5, 8]],
      '2.00 0.00',
      'march',
    ],
    [
      'a negative late line is credited if the invoice has no other line',
      null,
      [['march', 5, 8]],
      '0.00',
      'march',
    ],
    [
      'earlier lines count, also late ones',
      2,
      [
        ['february', 9, 8],
        ['march', 5, 8],
      ],
      '2.00 1.00 -3.00',
      '',
    ],
    [
      'lines of zero or more count first, also those after it',
      2,
      [
        ['february', 5, 8],
        ['march', 9, 4],
      ],
      '2.00 -3.00 5.00',
      '',
    ],
    [
      'of lines below zero the first comes first, and one that does not fit leaves room for the next',
      4,
      [
        ['february', 3, 8],
        ['march', 5, 8],
      ],
      '4.00 0.00 -3.00',
      'february',
    ],
    ['a late line of zero is not made, and not credited', 2, [['march', 8, 8]], '2.00', ''],
  ];
  for (const [why, own, late, amounts, credited] of ROWS) {
    it(why, () => {
      const invoice = composeInvoice({
        plans: new Map([['plan_1', [aCharge({ pricing: { pricing_model: 'per_unit', unit_amount: '1' } })]]]),
        own: own === null ? null : { period: PERIODS.april, ...usageOf('april', counted(own, 0)) },
        late: late.map(([period, units, billed]) => usageOf(period, counted(units, billed))),
        periods: [],
        items: [],
        grants: [],
        billed: null,
        ...{ fees: { coming: null, ending: null }, is_opening: false, timezone: 'UTC' },
        currency: 'USD',
        tax: taxTermsOf('standard', '0'),
      });
      assert.equal(invoice.line_items.map(({ amount }) => amount).join(' '), amounts);
      const starts = invoice.corrections.map(({ full_period_start }) => full_period_start);
      const named = Object.entries(PERIODS).filter(([, { period_start }]) => starts.includes(period_start));
      assert.equal(named.map(([name]) => name).join(' '), credited);
    });
  }
});

describe('the tiers of a line', () => {
  const ROWS: [why: string, others: OtherLine[], amount: string, tiers: string[] | null][] = [
    ['are shown on the only line of its period: 15,000 on T', [], '605.00', ['100.00', '455.00', '50.00']],
    [
      'are not shown beside another line: 605.00 less the 90.00 of 900',
      [aLineOf(900, '90.00')],
      '515.00',
      null,
    ],
  ];
  for (const [why, others, amount, tiers] of ROWS) {
    it(why, () => {
      const usage = { ...counted(15_000, 0), others };
      const { line_items } = composeInvoice({
        plans: new Map([['plan_1', [aCharge({ pricing: { pricing_model: 'graduated', tiers: TIERS } })]]]),
        own: { period: PERIODS.april, ...usageOf('april', usage) },
        late: [],
        periods: [],
        items: [],
        grants: [],
        billed: null,
        ...{ fees: { coming: null, ending: null }, is_opening: false, timezone: 'UTC' },
        currency: 'USD',
        tax: taxTermsOf('standard', '0'),
      });
      const [line] = line_items;
      assert.equal(line?.amount, amount);
      assert.deepEqual(line?.tiers?.map((tier) => tier.amount) ?? null, tiers);
    });
  }
});
