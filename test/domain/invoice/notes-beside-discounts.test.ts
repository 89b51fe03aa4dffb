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

describe('discounts of an amount on automatic notes', () => {
  it('come along with the note of the invoice that is credited first, for all of its fees', () => {
    const invoices = [
      invoice('first', '26.00', [line('a1', '20.00'), line('b1', '10.00'), line('d1', '-4.00', 'dis_1')]),
      invoice('last', '6.00', [line('a2', '2.00'), line('b2', '10.00'), line('d2', '-6.00', 'dis_1')]),
    ];
    const terms: PeriodTerms = {
      ...{ full_period: HALF, named: HALF, minimum_amount: null, brings_minimum: 'never' },
      discounts: [
        {
          ...{ discount_id: 'dis_1', name: 'Loyalty', percent: null, amount: '10.00', event_names: null },
          ...{ from: '2026-01-01T00:00:00.000Z', until: null },
        },
      ],
      billed: {
        plan_lines: decimal('42.00'),
        discounts: new Map([['dis_1', decimal('-10.00')]]),
        ...{ decided: new Set(), minimum: ZERO },
      },
    };
    const owed = (line_key: string, amount: string) => ({
      ...{ line_key, full_period_start: APRIL.period_start },
      amount: decimal(amount),
    });
    // Half of the period leaves 5.00 of the discount: 2.00 come along with the 2.00 of a, and 3.00 with b.
    const found = creditShares([owed('a', '13.00'), owed('b', '4.00')], {
      ...{ invoices, periods: [terms], currency: 'USD' },
    });
    const shown = found.map((shares) =>
      shares.map(({ line: { id }, amount, discounts }) => [
        id,
        amount.toFixed(),
        ...discounts.map((one) => `${one.line.id} ${one.amount.toFixed()}`),
      ]),
    );
    assert.deepEqual(shown, [
      [
        ['a2', '2', 'd2 -2'],
        ['a1', '11'],
      ],
      [['b2', '4', 'd2 -3']],
    ]);
  });
});
