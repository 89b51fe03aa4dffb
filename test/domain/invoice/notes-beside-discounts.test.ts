import assert from 'node:assert/strict';
import { creditShares, type BilledInvoice } from '../../../src/domain/invoice/automatic-note.ts';
import type { PeriodTerms } from '../../../src/domain/invoice/period-lines.ts';
import { decimal, ZERO } from '../../../src/domain/money/decimal.ts';
import { aPeriod } from '../../support/ledger/schedules.ts';

const APRIL = aPeriod('2026-04-01', '2026-05-01');
const HALF = { ...APRIL, period_end: '2026-04-16T00:00:00.000Z' };

const line = (id: string, amount: string, discount_id: string | null = null) => ({
  ...{ id, amount, credited: '0', line_key: discount_id ?? id.slice(0, 1), discount_id },
  ...{ type: discount_id === null ? ('flat' as const) : ('discount' as const) },
  ...{ full_period_start: APRIL.period_start, period_end: APRIL.period_end },
});
const invoice = (id: string, subtotal: string, lines: BilledInvoice['lines']) =>
  ({ id, subtotal, lines }) as BilledInvoice;

/** Terms of a full period with a discount of an amount, and what its lines have come to. */
const termsOf = (
  full_period: PeriodTerms['full_period'],
  amount: string,
  billed: { plan_lines: string; discount: string },
): PeriodTerms => ({
  ...{ full_period, named: full_period, minimum_amount: null, brings_minimum: 'never' },
  discounts: [
    {
      ...{ discount_id: 'dis_1', name: 'Loyalty', percent: null, amount, event_names: null },
      ...{ from: '2026-01-01T00:00:00.000Z', until: null },
    },
  ],
  billed: {
    plan_lines: decimal(billed.plan_lines),
    discounts: new Map([['dis_1', decimal(billed.discount)]]),
    ...{ decided: new Set(), minimum: ZERO },
  },
});
const owed = (line_key: string, amount: string) => ({
  ...{ line_key, full_period_start: APRIL.period_start },
  amount: decimal(amount),
});
/** The lines that corrections credit, each with its amount and the discounts that come along. */
const credited = (corrections: ReturnType<typeof owed>[], invoices: BilledInvoice[], terms: PeriodTerms) =>
  creditShares(corrections, { invoices, periods: [terms], currency: 'USD' }).map((shares) =>
    shares.map(({ line: { id }, amount, discounts }) => [
      id,
      amount.toFixed(),
      ...discounts.map((one) => `${one.line.id} ${one.amount.toFixed()}`),
    ]),
  );

describe('discounts of an amount on automatic notes', () => {
  it('come along with the note of the invoice that is credited first, for all of its fees', () => {
    const invoices = [
      invoice('first', '26.00', [line('a1', '20.00'), line('b1', '10.00'), line('d1', '-4.00', 'dis_1')]),
      invoice('last', '6.00', [line('a2', '2.00'), line('b2', '10.00'), line('d2', '-6.00', 'dis_1')]),
    ];
    const terms = termsOf(HALF, '10.00', { plan_lines: '42.00', discount: '-10.00' });
    // Half of the period leaves 5.00 of the discount: 2.00 come along with the 2.00 of a, and 3.00 with b.
    assert.deepEqual(credited([owed('a', '13.00'), owed('b', '4.00')], invoices, terms), [
      [
        ['a2', '2', 'd2 -2'],
        ['a1', '11'],
      ],
      [['b2', '4', 'd2 -3']],
    ]);
  });

  it('10 seats, 4 from the 16th: of the opening of 0.00 a note of 3.00 - 3.00, where only 1.00 is too much', () => {
    const invoices = [
      invoice('opening', '0.00', [line('a1', '10.00'), line('d1', '-10.00', 'dis_1')]),
      invoice('cut', '2.00', [line('u1', '12.00'), line('d2', '-10.00', 'dis_1')]),
    ];
    const terms = termsOf(APRIL, '20.00', { plan_lines: '22.00', discount: '-20.00' });
    assert.deepEqual(credited([owed('a', '3.00')], invoices, terms), [[['a1', '3', 'd1 -3']]]);
  });

  it('take what the invoice has left, and no more of a discount than fits beside it', () => {
    const invoices = [invoice('opening', '1.50', [line('a1', '10.00'), line('d1', '-8.50', 'dis_1')])];
    const terms = termsOf(APRIL, '20.00', { plan_lines: '30.00', discount: '-20.00' });
    assert.deepEqual(credited([owed('a', '3.00')], invoices, terms), [[['a1', '3', 'd1 -1.5']]]);
  });
});
