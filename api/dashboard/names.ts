import { Type } from 'typebox';
import { namesOfCustomers, namesOfObjects } from '../../src/db/account/names.ts';
import { exactly, responseObject } from '../../src/objects/parts.ts';
import { route } from '../routing/route.ts';
import { Identifier } from '../schema/schemas.ts';

/** Limit of the ids of each kind in one request. */
const IDS_MAX = 200;
const Ids = Type.Array(Identifier, { maxItems: IDS_MAX, default: [] });
const Names = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Without the ids that nothing has, or nothing with a name.',
});

const read = route({
  method: 'post',
  path: '/dashboard/api/names',
  operation_id: 'listNames',
  tag: 'Dashboard',
  session_only: true,
  transaction: false,
  summary: 'Get the names of customers, by external id, and the names or numbers of other objects, by id',
  body: exactly({ customers: Ids, ids: Ids }),
  responses: {
    200: responseObject('Names', { object: Type.Literal('names'), customers: Names, ids: Names }),
  },
  handle: async ({ db, caller: { environment_id }, body }) => ({
    status: 200,
    body: {
      object: 'names',
      customers: await namesOfCustomers(db, environment_id, body.customers),
      ids: await namesOfObjects(db, environment_id, body.ids),
    },
  }),
});

export const nameRoutes = [read];
