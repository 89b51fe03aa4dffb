import type { Examples } from '../../routing/route.ts';
import { FEBRUARY_INVOICE, INVOICE, NEW_INVOICE, SUBSCRIPTION } from './ids.ts';

/** The line of the plan "API calls". */
const calls = { title: 'API calls', kind: 'usage', event_name: 'api_call', group: null };
const tax = { title: 'Tax', kind: 'tax', event_name: null, group: null, quantity: null, with_quantity: null };

export const ofInvoice: Examples = {
  'A month with fewer calls, and without credit': {
    path: { id: FEBRUARY_INVOICE },
    query: { with: NEW_INVOICE },
    status: 200,
    response: {
      object: 'invoice_comparison',
      invoice_id: FEBRUARY_INVOICE,
      with_invoice_id: NEW_INVOICE,
      currency: 'USD',
      total: '0.12',
      with_total: '0.24',
      difference: '-0.12',
      lines: [
        {
          ...calls,
          amount: '0.10',
          with_amount: '0.20',
          difference: '-0.10',
          quantity: '1',
          with_quantity: '4',
          causes: [
            { cause: 'usage', amount: '-0.30' },
            { cause: 'credit', amount: '0.20' },
          ],
        },
        {
          ...tax,
          amount: '0.02',
          with_amount: '0.04',
          difference: '-0.02',
          causes: [{ cause: 'tax_base', amount: '-0.02' }],
        },
      ],
    },
  },
};

export const ofUpcoming: Examples = {
  'A month without a call so far': {
    path: { id: SUBSCRIPTION },
    status: 200,
    response: {
      object: 'invoice_comparison',
      invoice_id: null,
      with_invoice_id: INVOICE,
      currency: 'USD',
      total: '0.00',
      with_total: '0.12',
      difference: '-0.12',
      lines: [
        {
          ...calls,
          amount: '0.00',
          with_amount: '0.10',
          difference: '-0.10',
          quantity: '0',
          with_quantity: '3',
          causes: [
            { cause: 'usage', amount: '-0.30' },
            { cause: 'credit', amount: '0.20' },
          ],
        },
        {
          ...tax,
          amount: '0.00',
          with_amount: '0.02',
          difference: '-0.02',
          causes: [{ cause: 'tax_base', amount: '-0.02' }],
        },
      ],
    },
  },
};

/** The January invoice with a late event beside itself. */
export const regenerated = {
  object: 'invoice_comparison',
  invoice_id: null,
  with_invoice_id: INVOICE,
  currency: 'USD',
  total: '0.24',
  with_total: '0.12',
  difference: '0.12',
  lines: [
    {
      ...calls,
      amount: '0.20',
      with_amount: '0.10',
      difference: '0.10',
      quantity: '4',
      with_quantity: '3',
      causes: [{ cause: 'usage', amount: '0.10' }],
    },
    {
      ...tax,
      amount: '0.04',
      with_amount: '0.02',
      difference: '0.02',
      causes: [{ cause: 'tax_base', amount: '0.02' }],
    },
  ],
};
