import assert from 'node:assert/strict';
import { ALL } from '../../../src/domain/pricing/series.ts';
import { changesOf, type ComparedInvoice } from '../../../src/domain/invoice/invoice-changes.ts';

describe('the changes between two versions of an invoice', () => {
  type Line = ComparedInvoice['line_items'][number] & { description: string };
  const line: Line = {
    ...{
      type: 'usage',
      charge_id: 'chg_1',
      ...ALL,
      invoice_item: null,
      discounts: [],
      event_name: 'api_call',
      description: '3 api_call events',
    },
    ...{ quantity: '3', skipped_events: 0, credits_applied: '0', billable_quantity: '3', amount: '3.00' },
    ...{ period_start: '2026-01-01T00:00:00.000Z', period_end: '2026-02-01T00:00:00.000Z' },
  };
  const invoice = {
    line_items: [line],
    ...{
      subtotal: '3.00',
      tax: { rate: '0', amount: '0.00', treatment: 'standard' },
      total: '3.00',
      credits_applied: '0',
    },
  };

  const with_lines = (...line_items: Line[]) => ({ ...invoice, line_items });
  const february = { ...line, period_start: line.period_end, period_end: '2026-03-01T00:00:00.000Z' };
  const rebateOf = (discount_id: string, amount: string): Line => ({
    ...line,
    ...{ type: 'discount', charge_id: null, event_name: null, quantity: '1', billable_quantity: '1', amount },
    discounts: [{ discount_id, name: 'Rebate', percent: null }],
  });
  const EVERY_FIELD = ['quantity', 'skipped_events', 'credits_applied', 'billable_quantity', 'amount'];
  const appears = (name: string) => EVERY_FIELD.map((field) => `${name} ${field}: -`);

  const ROWS: [why: string, before: Line[], after: Line[], changes: string[]][] = [
    [
      'none, if only the description of a line differs',
      [line],
      [{ ...line, description: 'Api call: 3 events' }],
      [],
    ],
    ['a field', [line], [{ ...line, amount: '4.00' }], ['usage amount: 3.00 > 4.00']],
    [
      'several fields, one change each',
      [line],
      [{ ...line, quantity: '4', skipped_events: 1 }],
      ['usage quantity: 3 > 4', 'usage skipped_events: 0 > 1'],
    ],
    ['an added line', [], [line], appears('usage')],
    ['a removed line', [line], [], appears('usage')],
    [
      'a line of another type is another line, even with the same charge and period',
      [line],
      [{ ...line, type: 'late_usage' }],
      [...appears('late_usage'), ...appears('usage')],
    ],
    [
      'a line of another charge is another line',
      [line],
      [line, { ...line, charge_id: 'chg_2' }],
      appears('usage'),
    ],
    [
      'a line of another discount of an amount is another line',
      [rebateOf('dis_1', '-1.00'), rebateOf('dis_2', '-2.00')],
      [rebateOf('dis_1', '-1.00'), rebateOf('dis_2', '-3.00')],
      ['discount amount: -2.00 > -3.00'],
    ],
    [
      'a line with another percent is the same line',
      [line],
      [{ ...line, discounts: [{ discount_id: 'dis_1', name: 'Loyalty', percent: '10' }], amount: '2.70' }],
      ['usage amount: 3.00 > 2.70'],
    ],
    ['a line of another period is another line', [line], [line, february], appears('usage')],
    [
      'a line whose period ends at another time is the same line',
      [line],
      [{ ...line, period_end: '2026-01-20T00:00:00.000Z' }],
      [],
    ],
  ];
  for (const [why, before, after, expected] of ROWS) {
    it(why, () => {
      const said = changesOf(with_lines(...before), with_lines(...after)).map((change) => {
        const values =
          change.before === null || change.after === null ? '-' : `${change.before} > ${change.after}`;
        return `${change.line_item?.type} ${change.field}: ${values}`;
      });
      assert.deepEqual(said, expected);
    });
  }

  it('end with the totals', () => {
    const proposed = {
      ...invoice,
      subtotal: '4.00',
      tax: { rate: '10', amount: '0.40', treatment: 'standard' },
      total: '4.40',
      credits_applied: '1',
    };
    assert.deepEqual(
      changesOf(invoice, proposed).map(({ line_item, field, before, after }) => [
        line_item,
        field,
        before,
        after,
      ]),
      [
        [null, 'credits_applied', '0', '1'],
        [null, 'subtotal', '3.00', '4.00'],
        [null, 'tax.rate', '0', '10'],
        [null, 'tax.amount', '0.00', '0.40'],
        [null, 'total', '3.00', '4.40'],
      ],
    );
  });
});
