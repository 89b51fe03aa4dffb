import { composeUpcoming } from '../../src/billing/previews/upcoming-invoice.ts';
import * as examples from '../reference/examples/subscriptions.ts';
import { UpcomingInvoice } from '../../src/objects/invoice.ts';
import { foundOr404 } from '../routing/found.ts';
import { route } from '../routing/route.ts';

const read = route({
  method: 'get',
  path: '/v1/subscriptions/{id}/upcoming-invoice',
  operation_id: 'getUpcomingInvoice',
  tag: 'Subscriptions',
  summary: 'Preview the invoice of the current period; nothing is stored',
  examples: examples.readUpcoming,
  refusals: ['conflict'],
  responses: { 200: UpcomingInvoice },
  may_take_long: true,
  handle: async ({ deps, db, caller, params }) => {
    return foundOr404(await composeUpcoming(db, caller.environment_id, params['id']!, deps.config));
  },
});

export const upcomingInvoiceRoutes = [read];
