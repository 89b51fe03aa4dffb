import { Type, type Static } from 'typebox';
import { grantCredit, previewGrant } from '../../src/billing/terms/grant-credit.ts';
import {
  findGrant,
  listGrants,
  lockCustomerOfGrant,
  voidGrants,
  type GrantFilter,
} from '../../src/db/credit/credit-grants.ts';
import { conflict } from '../../src/domain/money/errors.ts';
import { GrantObject, GrantPreview, LedgerEntry } from '../../src/objects/credit-grant.ts';
import { flattened, pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/credit-grants.ts';
import { foundOr404 } from '../routing/found.ts';
import { boundsOf, checkMonth } from '../routing/account-month.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { checkOrder } from '../schema/range.ts';
import {
  AccountMonth,
  decimalNumber,
  GRANT_AMOUNT,
  GrantEventNames,
  Identifier,
  Instant,
  listOf,
  PAGE,
} from '../schema/schemas.ts';
import { exactly } from '../../src/objects/parts.ts';

const create = route({
  method: 'post',
  path: '/v1/credit-grants',
  operation_id: 'createCreditGrant',
  tag: 'Credit grants',
  summary: 'Grant prepaid credit, which covers usage before usage is charged',
  description:
    'One credit covers one unit of usage, whatever its price. A charge with the pricing model `credit` sets the number of credits per unit. ' +
    'A grant covers usage before its expiry, in periods that end after the grant was created. The grant that expires first is used first.',
  body: Type.Object(
    {
      customer_id: Identifier,
      amount: decimalNumber(
        GRANT_AMOUNT,
        'In units of usage (events), above 0, with at most 6 decimals and 15 digits in total.',
      ),
      expires_in_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
      rollover: Type.Boolean({
        default: false,
        description: 'If true, the grant stays valid after the billing period in which it was created.',
      }),
      event_names: Type.Optional(GrantEventNames),
      subscription_id: Type.Optional({
        ...Identifier,
        description:
          'Cover the usage of this subscription alone; without `rollover` the grant ends with its period.',
      }),
      note: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'For people; erased with the customer.' }),
      ),
      dry_run: Type.Boolean({
        default: false,
        description: 'Return what the grant would be, with the day on which it ends, and store nothing.',
      }),
    },
    { additionalProperties: false },
  ),
  examples: examples.create,
  refusals: ['not_found', 'conflict'],
  responses: { 200: GrantPreview, 201: GrantObject },
  handle: async ({ db, caller, body: { dry_run, ...body } }) => {
    const { environment_id } = caller;
    const { expires_in_days = null, event_names = null, subscription_id = null, note = null } = body;
    const order = { ...body, expires_in_days, event_names, subscription_id, note };
    if (dry_run) return { status: 200, body: await previewGrant(db, environment_id, order) };
    const id = await grantCredit(db, environment_id, order);
    return {
      status: 201,
      body: (await findGrant(db, environment_id, id))!,
      headers: { Location: `/v1/credit-grants/${id}` },
    };
  },
});

const FILTERS = {
  customer_id: Type.Optional(Identifier),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};
const AllFilters = exactly(FILTERS);

/** Throws invalid_request for a range that runs backwards. */
function filterOf(query: Static<typeof AllFilters>): GrantFilter {
  const { customer_id = null, from = null, to = null } = query;
  checkOrder(query);
  return { customer_id, from, to };
}

const list = route({
  method: 'get',
  path: '/v1/credit-grants',
  operation_id: 'listCreditGrants',
  tag: 'Credit grants',
  summary: 'Credit grants, newest first',
  description: '`from` and `to` bound `created_at`.',
  query: exactly({ ...FILTERS, ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(GrantObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filter = filterOf(query);
    const { customer_id, from, to } = filter;
    return listResponse(request, {
      name: 'credit_grants',
      // A range that is not sent is not in the cursor's seal, as in other lists.
      filters: from === null && to === null ? { customer_id } : filter,
      fetch: (page) => listGrants(db, caller.environment_id, { ...filter, ...page }),
      show: (grant) => grant,
    });
  },
});

const Movement = exactly({
  credit_grant_id: Type.String(),
  customer_id: Type.String(),
  ...LedgerEntry.properties,
});

const ledger = csvRoute({
  path: '/v1/credit-ledger.csv',
  operation_id: 'exportCreditLedger',
  tag: 'Credit grants',
  summary: 'The ledgers of credit grants as a CSV file, the newest grant first',
  description: '`from` and `to`, or `month`, bound `created_at` of the movement.',
  query: exactly({ ...FILTERS, month: Type.Optional(AccountMonth) }),
  row: Movement,
  pages: async function* ({ db, caller, query }) {
    checkMonth(query);
    const { customer_id, ...range } = filterOf(query);
    const { from, to } = await boundsOf(db, caller.environment_id, { ...range, month: query.month });
    const isWithin = (at: string) => (from === null || at >= from) && (to === null || at < to);
    yield* flattened(
      // A grant of any time before has movements within the range.
      pagesById((page) => listGrants(db, caller.environment_id, { customer_id, from: null, to, ...page })),
      (grant) =>
        grant.ledger
          .filter(({ created_at }) => isWithin(created_at))
          .map((entry) => ({ credit_grant_id: grant.id, customer_id: grant.customer_id, ...entry })),
    );
  },
});

const read = route({
  method: 'get',
  path: '/v1/credit-grants/{id}',
  operation_id: 'getCreditGrant',
  tag: 'Credit grants',
  summary: 'Get a credit grant with its ledger',
  examples: examples.read,
  responses: { 200: GrantObject },
  handle: async ({ db, caller, params }) => {
    return foundOr404(await findGrant(db, caller.environment_id, params['id']!));
  },
});

const voidRoute = route({
  method: 'post',
  path: '/v1/credit-grants/{id}/void',
  operation_id: 'voidCreditGrant',
  tag: 'Credit grants',
  summary: 'Void the remaining credit of a grant; credit that invoices have drawn is not affected',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.voidGrant,
  responses: { 200: GrantObject },
  handle: async ({ db, caller, params }) => {
    const { environment_id } = caller;
    const id = params['id']!;
    await lockCustomerOfGrant(db, environment_id, id);
    const voided = (await voidGrants(db, environment_id, [id])) === 1;
    const grant = await findGrant(db, environment_id, id);
    if (grant === null) throw notFoundError();
    if (!voided) throw conflict(null, 'invalid_state', `credit grant ${id} is already void`);
    return { status: 200, body: grant };
  },
});

export const creditGrantRoutes = [create, list, ledger, read, voidRoute];
