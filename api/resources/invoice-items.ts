import { Type } from 'typebox';
import {
  addInvoiceItem,
  deleteInvoiceItem,
  PENDING_ITEMS_MAX,
} from '../../src/billing/close/invoice-item.ts';
import { findInvoiceItem, listInvoiceItems } from '../../src/db/invoicing/invoice-items.ts';
import { INVOICE_ITEM_STATUSES } from '../../src/domain/lines/invoice-item.ts';
import { InvoiceItemObject } from '../../src/objects/invoice-item.ts';
import { deletedObject, exactly, oneOf } from '../../src/objects/parts.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/invoice-items.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { decimalText, Identifier, listOf, Name, PAGE } from '../schema/schemas.ts';

const create = route({
  method: 'post',
  path: '/v1/invoice-items',
  operation_id: 'createInvoiceItem',
  tag: 'Invoice items',
  summary: 'Put an amount on the next invoice, such as a setup fee, or a rebate below zero',
  description:
    'The next invoice of the subscription takes it, and a draft that is held takes it at once. It stands behind the lines of the plan and is taxed like them; ' +
    `credit does not cover it. One below zero waits while it would take the subtotal below zero. At most ${PENDING_ITEMS_MAX} items of a subscription are pending.`,
  body: exactly({
    customer_id: Identifier,
    subscription_id: Type.Optional({
      ...Identifier,
      description:
        'The default is the running subscription of the customer whose invoice comes next: the oldest draft, else the earliest end of a billing period; those in trial come last.',
    }),
    description: Type.String({ ...Name, description: 'Printed on the invoice.' }),
    quantity: Type.Optional(
      decimalText({ whole_max: 15, scale_max: 6, low: '0.000001' }, 'Above 0. The default is 1.'),
    ),
    unit_amount: decimalText({ whole_max: 15, scale_max: 12 }, 'Below 0 for a rebate.'),
  }),
  examples: examples.create,
  refusals: ['not_found', 'conflict'],
  responses: { 201: InvoiceItemObject },
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id, actor_id: by } = caller;
    const { subscription_id = null, quantity = '1', ...rest } = body;
    const request = { ...rest, subscription_id, quantity, by };
    const item = await addInvoiceItem(db, environment_id, request, deps.config);
    return { status: 201, body: item, headers: { Location: `/v1/invoice-items/${item.id}` } };
  },
});

const list = route({
  method: 'get',
  path: '/v1/invoice-items',
  operation_id: 'listInvoiceItems',
  tag: 'Invoice items',
  summary: 'Invoice items, newest first',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    subscription_id: Type.Optional(Identifier),
    status: Type.Optional(oneOf(INVOICE_ITEM_STATUSES)),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(InvoiceItemObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { customer_id = null, subscription_id = null, status = null } = query;
    const filters = { customer_id, subscription_id, status };
    return listResponse(request, {
      name: 'invoice-items',
      filters,
      fetch: (page) => listInvoiceItems(db, caller.environment_id, { ...filters, ...page }),
      show: (item) => item,
    });
  },
});

const read = route({
  method: 'get',
  path: '/v1/invoice-items/{id}',
  operation_id: 'getInvoiceItem',
  tag: 'Invoice items',
  summary: 'Get an invoice item',
  examples: examples.read,
  responses: { 200: InvoiceItemObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findInvoiceItem(db, caller.environment_id, params['id']!));
  },
});

const remove = route({
  method: 'delete',
  path: '/v1/invoice-items/{id}',
  operation_id: 'deleteInvoiceItem',
  tag: 'Invoice items',
  summary: 'Delete a pending invoice item',
  description: 'A draft that has it is priced again without it. An item on an issued invoice is not deleted.',
  examples: examples.remove,
  responses: { 200: deletedObject('DeletedInvoiceItem', 'invoice_item') },
  handle: async ({ deps, db, caller, params }) => {
    const { environment_id, actor_id: by } = caller;
    const id = params['id']!;
    if (!(await deleteInvoiceItem(db, environment_id, { id, by }, deps.config))) throw notFoundError();
    return { status: 200, body: { id, object: 'invoice_item', deleted: true } };
  },
});

export const invoiceItemRoutes = [create, list, read, remove];
