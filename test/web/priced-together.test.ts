import assert from 'node:assert/strict';
import { pricingOf } from '../../src/domain/pricing/definitions.ts';
import type { LineItem } from '../../web/src/api/objects.ts';
import {
  linesBeside,
  pricedTogether,
  type InvoiceBeside,
} from '../../web/src/pages/invoices/priced-together.ts';
import { lessPercents, withPercents } from '../../web/src/pages/invoices/with-percents.ts';
import { TIERS } from '../support/ledger/tiers.ts';

const PERIOD = { period_start: '2026-01-01T00:00:00.000Z', period_end: '2026-02-01T00:00:00.000Z' };
const T = pricingOf('graduated', { tiers: TIERS });
const [FEBRUARY, MARCH] = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'] as const;

function aLine(parts: Partial<LineItem>): LineItem {
  return {
    ...{ id: 'li_1', type: 'usage', charge_id: 'chg_1', price_index: null, group: null, others: false },
    ...{ invoice_item: null, event_name: 'api_call', description: 'API calls', pricing_model: 'graduated' },
    ...{ aggregation: { type: 'count' }, quantity: '0', skipped_events: 0, credits_applied: '0' },
    ...{ billable_quantity: '0', tiers: null, amount: '0.00', ...PERIOD },
    ...{ discounts: [], amount_before: null, stretches: null, billed_before: null },
    ...parts,
  };
}

function anInvoice(id: string, parts: Partial<InvoiceBeside>): InvoiceBeside {
  return {
    ...{ id, number: id, status: 'open', plan_id: 'plan_1' },
    ...{ issued_at: FEBRUARY, voided_at: null, line_items: [] },
    ...parts,
  };
}

describe('an amount with discounts', () => {
  const of = (percent: string, name = 'Loyalty') => ({ discount_id: 'dis_1', name, percent });

  it('has the factor of each, and names them', () => {
    assert.equal(withPercents('90', [of('10'), of('20')]), '64.8');
    assert.equal(lessPercents([of('10'), of('2.5', 'Launch')]), ', less 10 % (Loyalty), less 2.5 % (Launch)');
    assert.deepEqual([withPercents('90', []), lessPercents([])], ['90', '']);
  });
});

describe('the price that a line shares with others', () => {
  const first = aLine({ id: 'li_1', quantity: '900', amount: '90.00' });
  const late = aLine({ id: 'li_2', type: 'late_usage', quantity: '300', amount: '25.00' });
  const january = anInvoice('inv_1', { line_items: [first] });
  const february = anInvoice('inv_2', { issued_at: MARCH, line_items: [late] });
  const said = (line: LineItem, bill: InvoiceBeside, invoices: InvoiceBeside[]) => {
    const beside = linesBeside(line, bill, invoices);
    const together = pricedTogether(line, bill, { pricing: T, beside });
    if (together === null) return null;
    const { quantity, priced, other_lines } = together;
    return [quantity, priced.amount, ...other_lines.map((one) => `${one.line.amount} on ${one.invoice.id}`)];
  };

  it('900 on T are 90.00; 300 late: 1,200 are 115.00, less 90.00', () => {
    assert.deepEqual(said(late, february, [january, february]), ['1200', '115.00', '90.00 on inv_1']);
  });

  it('has the percents of the line: 1,200 on T at 10 percent off are 103.50, less 81.00', () => {
    const discounts = [{ discount_id: 'dis_1', name: 'Loyalty', percent: '10' }];
    const own = { ...first, amount: '81.00', discounts, amount_before: '90.00' };
    const later = { ...late, amount: '22.50', discounts, amount_before: '25.00' };
    const [one, two] = [
      { ...january, line_items: [own] },
      { ...february, line_items: [later] },
    ];
    assert.deepEqual(said(later, two, [one, two]), ['1200', '103.50', '81.00 on inv_1']);
  });

  it('goes by what stood at the issue: the invoice that is void since, not the one that replaced it', () => {
    const old = anInvoice('inv_1', { status: 'void', voided_at: MARCH, line_items: [first] });
    const replacing = aLine({ id: 'li_3', quantity: '1100', amount: '100.00' });
    const again = anInvoice('inv_3', { issued_at: MARCH, line_items: [replacing] });
    const invoices = [old, february, again];
    assert.deepEqual(said(late, february, invoices), ['1200', '115.00', '90.00 on inv_1']);
    assert.deepEqual(said(replacing, again, invoices), ['1400', '125.00', '25.00 on inv_2']);
  });

  it('counts lines of the same charge, price, group and period alone, and the parts of that period', () => {
    const parts = [
      aLine({ id: 'li_4', quantity: '400', amount: '40.00', period_end: '2026-01-16T00:00:00.000Z' }),
      aLine({ id: 'li_5', quantity: '500', amount: '50.00', period_start: '2026-01-16T00:00:00.000Z' }),
    ];
    const strangers = [
      aLine({ id: 'li_6', charge_id: 'chg_2', amount: '1.00' }),
      aLine({ id: 'li_7', group: { region: 'eu' }, amount: '1.00' }),
      aLine({ id: 'li_8', period_start: FEBRUARY, period_end: MARCH, amount: '1.00' }),
      aLine({ id: 'li_9', type: 'flat', amount: '1.00' }),
    ];
    const cut = parts.map((part, at) => anInvoice(`inv_0${at}`, { line_items: [part] }));
    const other = anInvoice('inv_1', { line_items: strangers });
    const wanted = ['1200', '115.00', '40.00 on inv_00', '50.00 on inv_01'];
    assert.deepEqual(said(late, february, [...cut, other, february]), wanted);
  });

  it('is not known where the figures do not add up', () => {
    const credited = aLine({ ...late, amount: '24.99' });
    assert.equal(said(credited, february, [january]), null);
    assert.equal(said(late, february, []), null);
  });

  it('of a bill without an issue goes by what is not void', () => {
    const beside = linesBeside(late, {}, [january]);
    assert.equal(pricedTogether(late, {}, { pricing: T, beside })?.quantity, '1200');
  });
});
