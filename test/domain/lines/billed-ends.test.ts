import assert from 'node:assert/strict';
import { arrearsCorrections, type ArrearsLine } from '../../../src/domain/invoice/flat-arrears.ts';
import {
  asBilled,
  fullPeriodsOf,
  isLeftOut,
  type FullPeriod,
  type PeriodRow,
} from '../../../src/domain/lines/scope.ts';
import { NO_DISCOUNTS } from '../../../src/domain/pricing/discount.ts';
import { aCharge } from '../../support/ledger/plans.ts';

const at = (day: string) => `2026-${day}T00:00:00.000Z`;
const APRIL: FullPeriod = {
  ...{ kind: 'billing', period_start: at('04-01'), period_end: at('05-01') },
  ...{ interval_start: at('04-01'), interval_end: at('05-01'), plan_id: 'plan_1' },
};
const LEFT_OUT = { ...APRIL, period_end: at('04-01') };
const FEE = aCharge({ pricing: { pricing_model: 'flat', flat_amount: '30.00', billed: 'in_arrears' } });
const TERMS = { currency: 'USD', timezone: 'UTC' };

const line = (from: string, to: string, amount: string, parts: Partial<ArrearsLine> = {}): ArrearsLine => ({
  ...{ id: `li_${from}`, charge_id: FEE.id, plan_id: 'plan_1', full_period_start: at('04-01') },
  ...{ period_start: at(from), period_end: at(to), amount, credited: '0', amount_before: null },
  ...{ is_on_draft: false, ...parts },
});
const WHOLE = line('04-01', '05-01', '30.00');
const PARTS = [line('04-01', '04-11', '10.00'), line('04-11', '04-21', '10.00')];

/** billing.md 1 and 10: flat amounts in arrears beyond an end in a period that is billed. */
describe('flat amounts in arrears', () => {
  const ROWS: [
    title: string,
    lines: ArrearsLine[],
    end: string | null,
    amount: string | null,
    from?: string,
  ][] = [
    ['are credited beyond the end', [WHOLE], '04-20', '11', '20 to 30'],
    ['are credited whole where their period is left out', [WHOLE], null, '30', '1 to 30'],
    ['are not credited up to the end that they were billed for', [WHOLE], '05-01', null],
    ['of parts are credited up to the end in a part', PARTS, '04-06', '15', '6 to 20'],
    ['of parts are credited up to the end in the last part', PARTS, '04-16', '5', '16 to 20'],
    ['of parts are not credited beyond the last part', PARTS, '04-21', null],
    ['count without the part that is void', [PARTS[1]!], '04-06', '10', '6 to 20'],
    ['count less the notes that stand', [{ ...WHOLE, amount: '20.00' }], '04-20', '1', '20 to 30'],
    ['that are credited by then are credited no more', [{ ...WHOLE, amount: '19.00' }], '04-20', null],
    ['on a draft are not credited', [{ ...WHOLE, is_on_draft: true }], '04-20', null],
  ];
  for (const [title, arrears, end, amount, from] of ROWS)
    it(title, () => {
      const full_period = end === null ? null : { ...APRIL, period_end: at(end) };
      const terms = { discounting: NO_DISCOUNTS, quantities: [] };
      const fees = { full_period, full_period_start: at('04-01'), arrears, ...terms };
      const found = arrearsCorrections([FEE], fees, TERMS);
      assert.deepEqual(
        found.map((one) => [one.amount.toFixed(), one.reason, one.settle]),
        amount === null ? [] : [[amount, `Unused time from ${from} April 2026`, 'balance']],
      );
    });
});

describe('a full period that was billed', () => {
  const row = (from: string, to: string, says: string, start = from): PeriodRow => ({
    ...{ ...APRIL, period_start: at(from), period_end: at(to), full_period_start: at(start) },
    ...{ opened_at: at(from), closed_at: at(to), may_be_late: true },
    invoice: {
      ...{ id: `inv_${from}`, status: 'open', usage_revision: 1, credit_revision: 1, is_stale: false },
      ...{ period_start: at(from), period_end: at(says) },
    },
  });
  const MAY = row('05-01', '06-01', '06-01');
  const namesApril = (...parts: PeriodRow[]) => {
    const { late } = fullPeriodsOf(MAY, { rows: [...parts, MAY], following: null, left_out: [] });
    return late.map((period) => asBilled(period).period_end);
  };

  it('is named as it was billed, where an end has cut it since', () => {
    assert.deepEqual(namesApril(row('04-01', '04-20', '05-01')), [at('05-01')]);
    const parts = [row('04-01', '04-06', '04-11'), row('04-11', '04-06', '05-01', '04-01')];
    assert.deepEqual(namesApril(...parts), [at('05-01')]);
  });

  it('is named up to its end where its invoice that stands was made again after that', () => {
    assert.deepEqual(namesApril(row('04-01', '04-20', '04-20')), [at('04-20')]);
    const waits: PeriodRow = { ...row('04-01', '04-06', '04-11'), invoice: null };
    assert.deepEqual(namesApril(waits), [at('04-06')]);
  });

  it('is left out where it ends as it begins', () => {
    assert.deepEqual([isLeftOut(LEFT_OUT), isLeftOut(APRIL)], [true, false]);
  });
});
