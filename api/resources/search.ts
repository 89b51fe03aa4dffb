import { Type } from 'typebox';
import { search } from '../../src/billing/customers/search.ts';
import { CreditNoteObject } from '../../src/objects/credit-note.ts';
import { CustomerObject } from '../../src/objects/customer.ts';
import { InvoiceObject } from '../../src/objects/invoice.ts';
import { exactly } from '../../src/objects/parts.ts';
import { PaymentObject } from '../../src/objects/payment.ts';
import { SubscriptionObject } from '../../src/objects/subscription.ts';
import { EventObject } from '../../src/objects/event.ts';
import { PlanObject } from '../../src/objects/plan.ts';
import { DOCUMENTS_SEARCHED_MAX } from '../../src/db/invoicing/document-search.ts';
import * as examples from '../reference/examples/search.ts';
import { route } from '../routing/route.ts';
import { listOf, PRINTABLE } from '../schema/schemas.ts';

const find = route({
  method: 'get',
  path: '/v1/search',
  operation_id: 'search',
  tag: 'Search',
  summary:
    'Find customers, invoices, credit notes, subscriptions, payments, events and plans, at most 20, the best first',
  description:
    'All of them by id; invoices and credit notes also by number, events by idempotency key, payments by reference. Customers also by a part of their name, ' +
    'email or `external_id`, whatever its case and accents, then by all words of it in any order, with their five newest invoices below each of at most three. Plans by a part of their name or key. Among ' +
    `the ${DOCUMENTS_SEARCHED_MAX.toLocaleString('en')} newest, invoices and credit notes also by four characters of their number, one of them a digit, or by ` +
    'their total. The response is never more than one page.',
  query: exactly({ q: Type.String({ ...PRINTABLE, description: 'What to find.' }) }),
  examples: examples.search,
  responses: {
    200: listOf(
      Type.Union([
        CustomerObject,
        InvoiceObject,
        CreditNoteObject,
        SubscriptionObject,
        PaymentObject,
        EventObject,
        PlanObject,
      ]),
    ),
  },
  handle: async ({ db, caller, query }) => {
    const data = await search(db, caller.environment_id, query.q.trim());
    return { status: 200, body: { object: 'list', data, has_more: false, next_cursor: null } };
  },
});

export const searchRoutes = [find];
