import type { Examples } from '../../routing/route.ts';
import { page } from './list.ts';

const booked = {
  fees: '0.00',
  usage: '0.10',
  late_usage: '0.00',
  items: '0.00',
  discounts: '0.00',
  minimums: '0.00',
  voided: '0.00',
  credited: '0.00',
  total: '0.10',
  tax: '0.02',
  invoices: 1,
  credit_notes: 0,
};

const february = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };

export const revenue: Examples = {
  'A month by customer': {
    query: { from: '2026-02-01', to: '2026-03-01', group_by: 'customer' },
    status: 200,
    response: {
      object: 'revenue',
      currency: 'USD',
      currencies: ['USD'],
      timezone: 'UTC',
      ...february,
      by: 'month',
      group_by: 'customer',
      data: [{ ...february, group: { id: 'acme', name: 'Acme Limited' }, ...booked }],
    },
  },
};

export const recurringRevenue: Examples = {
  'A month with usage alone, which does not recur': {
    query: { from: '2026-01-01', to: '2026-02-01' },
    status: 200,
    response: {
      object: 'recurring_revenue',
      currency: 'USD',
      currencies: [],
      timezone: 'UTC',
      data: [
        {
          month: '2026-01',
          before: '0.00',
          new: '0.00',
          expansion: '0.00',
          contraction: '0.00',
          churn: '0.00',
          reactivation: '0.00',
          recurring: '0.00',
          customers: 0,
        },
      ],
    },
  },
};

export const movements: Examples = {
  'Nothing moved': { query: { month: '2026-01', type: 'churn' }, status: 200, response: page() },
};
