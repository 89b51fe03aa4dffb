import { Type } from 'typebox';
import { listItemsWithoutInvoice } from '../../src/db/invoicing/invoice-items.ts';
import { exactly, ResponseDecimal, responseObject } from '../../src/objects/parts.ts';
import { route } from '../routing/route.ts';
import { Identifier } from '../schema/schemas.ts';

/** Limit of the items that one answer lists. */
export const ITEMS_WITHOUT_INVOICE_MAX = 20;

/** A pending item of a subscription that has ended, so that no invoice follows (billing.md 7). */
export const ItemWithoutInvoice = responseObject('ItemWithoutInvoice', {
  id: Type.String(),
  customer_id: Type.String(),
  description: Type.String(),
  amount: ResponseDecimal,
  currency: Type.String(),
});

const list = route({
  method: 'get',
  path: '/dashboard/api/items-without-invoice',
  operation_id: 'listItemsWithoutInvoice',
  tag: 'Dashboard',
  session_only: true,
  summary: `Pending invoice items of a customer that no invoice follows for: the ${ITEMS_WITHOUT_INVOICE_MAX} newest`,
  query: exactly({ customer_id: Identifier }),
  responses: {
    200: responseObject('ItemsWithoutInvoice', {
      object: Type.Literal('items_without_invoice'),
      data: Type.Array(ItemWithoutInvoice),
    }),
  },
  handle: async ({ db, caller: { environment_id }, query: { customer_id } }) => {
    const selection = { customer_id, limit: ITEMS_WITHOUT_INVOICE_MAX };
    const data = await listItemsWithoutInvoice(db, environment_id, selection);
    return { status: 200, body: { object: 'items_without_invoice', data } };
  },
});

export const itemRoutes = [list];
