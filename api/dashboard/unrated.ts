import { Type } from 'typebox';
import { countUnratedByName } from '../../src/db/usage/unrated.ts';
import { responseObject, exactly } from '../../src/objects/parts.ts';
import { checkRange } from '../schema/range.ts';
import { Instant } from '../schema/schemas.ts';
import { route } from '../routing/route.ts';

const REPORT_DAYS_MAX = 31;
const NAMES_MAX = 20;

const read = route({
  method: 'get',
  path: '/dashboard/api/unrated',
  operation_id: 'getUnrated',
  tag: 'Dashboard',
  session_only: true,
  summary: `Events that no charge counts, by name: the ${NAMES_MAX} names with the most`,
  query: exactly({ from: Instant, to: Instant }),
  responses: {
    200: responseObject('Unrated', {
      object: Type.Literal('unrated'),
      data: Type.Array(responseObject('UnratedName', { event_name: Type.String(), events: Type.Integer() })),
    }),
  },
  handle: async ({ deps, db, caller: { environment_id }, query: { from, to } }) => {
    checkRange({ from, to }, REPORT_DAYS_MAX);
    const { late_usage_days } = deps.config;
    const scope = { environment_id, customer_key: null, from, to, late_usage_days };
    return { status: 200, body: { object: 'unrated', data: await countUnratedByName(db, scope, NAMES_MAX) } };
  },
});

export const unratedRoutes = [read];
