import { Type } from 'typebox';
import { listCollectionCases } from '../../src/db/emails/collection-cases.ts';
import { CollectionCase } from '../../src/objects/collection-case.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import * as examples from '../reference/examples/collections.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Currency, Identifier, listOf, PAGE } from '../schema/schemas.ts';

const list = route({
  method: 'get',
  path: '/v1/collections',
  operation_id: 'listCollections',
  tag: 'Collections',
  summary: 'Open invoices that are overdue or paused, the earliest due date first',
  query: exactly({
    customer_id: Type.Optional(Identifier),
    currency: Type.Optional(Currency),
    overdue: Type.Optional(oneOf(['true', 'false'], { description: 'Whether the due date is over.' })),
    paused: Type.Optional(
      oneOf(['true', 'false'], { description: 'Whether the invoice or its customer is paused.' }),
    ),
    ...PAGE,
  }),
  examples: examples.list,
  responses: { 200: listOf(CollectionCase) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { customer_id = null, currency = null } = query;
    const filters = { customer_id, currency, overdue: flagOf(query.overdue), paused: flagOf(query.paused) };
    return listResponse(request, {
      name: 'collections',
      filters,
      fetch: (page) => listCollectionCases(db, caller.environment_id, { ...filters, ...page }),
      show: ({ of_list }) => of_list,
    });
  },
});

/** A filter of two values; null if it is absent. */
function flagOf(text: 'true' | 'false' | undefined): boolean | null {
  return text === undefined ? null : text === 'true';
}

export const collectionRoutes = [list];
