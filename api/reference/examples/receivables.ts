import type { Examples } from '../../routing/route.ts';

const OWED = {
  currency: 'USD',
  current: '0.00',
  days_1_30: '0.12',
  days_31_60: '0.00',
  days_61_90: '0.00',
  days_over_90: '0.00',
  total: '0.12',
};

export const receivables: Examples = {
  'A customer at the end of February': {
    query: { as_of: '2026-02-28', customer_id: 'acme' },
    status: 200,
    response: {
      object: 'receivables',
      as_of: '2026-02-28',
      timezone: 'UTC',
      sums: [OWED],
      data: [
        { customer_id: 'acme', name: 'Acme Limited', ...OWED, oldest_due_date: '2026-02-01', invoices: 1 },
      ],
      has_more: false,
      next_cursor: null,
    },
  },
};
