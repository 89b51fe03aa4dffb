import { Type } from 'typebox';
import { listUnratedNames } from '../../src/db/reports/unrated.ts';
import { responseObject, exactly } from '../../src/objects/parts.ts';
import { readReport } from '../routing/report.ts';
import { checkRange } from '../schema/range.ts';
import { Instant } from '../schema/schemas.ts';
import { route } from '../routing/route.ts';

const NAMES_MAX = 5;

const read = route({
  method: 'get',
  path: '/dashboard/api/unrated',
  operation_id: 'getUnrated',
  tag: 'Dashboard',
  session_only: true,
  summary: `Events that no charge counts, by name: the ${NAMES_MAX} names with the most, with customers`,
  query: exactly({ from: Instant, to: Instant }),
  responses: {
    200: responseObject('Unrated', {
      object: Type.Literal('unrated'),
      data: Type.Array(
        responseObject('UnratedName', {
          event_name: Type.String(),
          events: Type.Integer(),
          customer_ids: Type.Array(Type.String(), {
            description: 'Customers of the latest of these events, at most 3.',
          }),
        }),
      ),
    }),
  },
  transaction: false,
  may_take_long: true,
  handle: async ({ deps, caller: { environment_id }, query: { from, to } }) => {
    checkRange({ from, to });
    const scope = { environment_id, customer_key: null, event_name: null, from, to };
    const data = await readReport(deps, (db) => listUnratedNames(db, scope, NAMES_MAX));
    return { status: 200, body: { object: 'unrated', data } };
  },
});

export const unratedRoutes = [read];
