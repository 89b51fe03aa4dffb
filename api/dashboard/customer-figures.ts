import { Type } from 'typebox';
import { findReceivables } from '../../src/billing/owed/receivables.ts';
import { plansOfCustomers } from '../../src/db/subscriptions/plans-of-customers.ts';
import { leftOf } from '../../src/domain/money/figures.ts';
import { exactly, nullable, ResponseDecimal, responseObject } from '../../src/objects/parts.ts';
import { route } from '../routing/route.ts';
import { Identifier } from '../schema/schemas.ts';

/** Limit of the customers of one request: those of a page. */
const IDS_MAX = 200;

/** The amount that a customer owes, null for nothing, and the plans that it has. */
const CustomerFigures = responseObject('CustomerFigures', {
  id: Type.String(),
  owed: nullable(
    responseObject('OwedByCustomer', {
      currency: Type.String(),
      total: ResponseDecimal,
      overdue: ResponseDecimal,
    }),
  ),
  plan_ids: Type.Array(Type.String()),
});

const list = route({
  method: 'post',
  path: '/dashboard/api/customer-figures',
  operation_id: 'listCustomerFigures',
  tag: 'Dashboard',
  session_only: true,
  transaction: false,
  summary: 'Get what customers owe, as GET /v1/receivables has it, and their plans, by their ids',
  body: exactly({ ids: Type.Array(Identifier, { maxItems: IDS_MAX }) }),
  responses: {
    200: responseObject('CustomerFigureList', {
      object: Type.Literal('list'),
      data: Type.Array(CustomerFigures),
    }),
  },
  handle: async ({ db, caller: { environment_id }, body: { ids } }) => {
    const asked = { as_of: null, currency: null, customer_ids: ids, after: null, limit: IDS_MAX };
    const { debtors } = await findReceivables(db, environment_id, asked);
    const plans = await plansOfCustomers(db, environment_id, ids);
    const owed = new Map(
      debtors.map(({ customer_id, debtor: { currency, total, current } }) => [
        customer_id,
        { currency, total, overdue: leftOf(total, current) },
      ]),
    );
    const data = ids.map((id) => ({
      id,
      owed: owed.get(id) ?? null,
      plan_ids: plans.filter((plan) => plan.customer_id === id).map(({ plan_id }) => plan_id),
    }));
    return { status: 200, body: { object: 'list', data } };
  },
});

export const customerFigureRoutes = [list];
