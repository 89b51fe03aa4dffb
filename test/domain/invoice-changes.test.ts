import assert from 'node:assert/strict';
import { changesOf } from '../../src/domain/invoice-changes.ts';

describe('the changes between two versions of an invoice', () => {
  const line = {
    ...{ type: 'usage', charge_id: 'chg_1', event_name: 'api_call', description: '3 api_call events' },
    ...{ quantity: '3', skipped_events: 0, credits_applied: '0', billable_quantity: '3', amount: '3.00' },
    ...{ period_start: '2026-01-01T00:00:00.000Z', period_end: '2026-02-01T00:00:00.000Z' },
  };
  const invoice = {
    line_items: [line],
    ...{ subtotal: '3.00', tax: { rate: '0', amount: '0.00' }, total: '3.00', credits_applied: '0' },
  };

  it('are in figures alone: a line that is worded anew has none', () => {
    const worded_anew = { ...line, description: 'Api call: 3 events' };
    assert.deepEqual(changesOf(invoice, { ...invoice, line_items: [worded_anew] }), []);
    const of_another_amount = { ...worded_anew, amount: '4.00' };
    const fields = changesOf(invoice, { ...invoice, line_items: [of_another_amount] }).map(
      ({ field }) => field,
    );
    assert.deepEqual(fields, ['amount']);
  });
});
