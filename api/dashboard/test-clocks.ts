import { Type } from 'typebox';
import { testClocksOf } from '../../src/db/customers/customer-now.ts';
import { exactly, responseObject } from '../../src/objects/parts.ts';
import { route } from '../routing/route.ts';
import { Identifier } from '../schema/schemas.ts';

/** Limit of the customers of one request: those of a page. */
const IDS_MAX = 200;

const list = route({
  method: 'post',
  path: '/dashboard/api/test-clocks',
  operation_id: 'listTestClocks',
  tag: 'Dashboard',
  session_only: true,
  transaction: false,
  summary: 'Get the test clocks of customers, by external id',
  body: exactly({ customer_ids: Type.Array(Identifier, { maxItems: IDS_MAX }) }),
  responses: {
    200: responseObject('TestClocks', {
      object: Type.Literal('test_clocks'),
      clocks: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Without the customers that live in real time.',
      }),
    }),
  },
  handle: async ({ db, caller: { environment_id }, body: { customer_ids } }) => {
    const clocks = await testClocksOf(db, environment_id, customer_ids);
    return { status: 200, body: { object: 'test_clocks', clocks } };
  },
});

export const testClockRoutes = [list];
