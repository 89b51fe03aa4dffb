import { Type, type Static } from 'typebox';
import { listAuditEntries, type AuditFilter } from '../../src/db/account/audit-log.ts';
import { ACTIONS } from '../../src/domain/people/actor.ts';
import { AuditEntryObject } from '../../src/objects/audit-entry.ts';
import { exactly, nullable, oneOf } from '../../src/objects/parts.ts';
import { pagesById } from '../csv/csv-pages.ts';
import { csvRoute } from '../csv/csv-route.ts';
import type { Caller } from '../http/deps.ts';
import * as examples from '../reference/examples/audit-log.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { checkOrder } from '../schema/range.ts';
import { Identifier, Instant, listOf, PAGE } from '../schema/schemas.ts';

const FILTERS = {
  object_id: Type.Optional(Identifier),
  customer_id: Type.Optional(Identifier),
  actor: Type.Optional({ ...Identifier, description: 'The id of a user or a key, or a type of actors.' }),
  action: Type.Optional(oneOf(ACTIONS)),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};
const AllFilters = exactly(FILTERS);

const DESCRIPTION =
  '`object_id` also finds the payments and credit notes of an invoice, `customer_id` everything of a customer, deleted or not. `from` and `to` ' +
  'bound `created_at`, which is real time. Users, sessions and passkeys are in it for people alone.';

/** Throws invalid_request for a range that runs backwards. */
function filterOf(query: Static<typeof AllFilters>, { kind }: Caller): AuditFilter {
  checkOrder(query);
  const { object_id = null, customer_id = null, actor = null, action = null, from = null, to = null } = query;
  return { object_id, customer_id, actor, action, from, to, with_account: kind === 'session' };
}

const list = route({
  method: 'get',
  path: '/v1/audit-log',
  operation_id: 'listAuditEntries',
  tag: 'Audit log',
  summary: 'Acts on your objects, and who did them, newest first',
  description: DESCRIPTION,
  query: exactly({ ...FILTERS, ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(AuditEntryObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const filter = filterOf(query, caller);
    return listResponse(request, {
      name: 'audit_log',
      filters: filter,
      fetch: (page) => listAuditEntries(db, caller.environment_id, { ...filter, ...page }),
      show: (entry) => entry,
    });
  },
});

const { before: _, after: __, ...COLUMNS } = AuditEntryObject.properties;

const csv = csvRoute({
  path: '/v1/audit-log.csv',
  operation_id: 'exportAuditLog',
  tag: 'Audit log',
  summary: 'The audit log as a CSV file, newest first',
  description: `${DESCRIPTION} \`before\` and \`after\` are JSON.`,
  query: AllFilters,
  row: exactly({ ...COLUMNS, before: nullable(Type.String()), after: nullable(Type.String()) }),
  pages: async function* ({ db, caller, query }) {
    const filter = filterOf(query, caller);
    const pages = pagesById((page) => listAuditEntries(db, caller.environment_id, { ...filter, ...page }));
    for await (const page of pages)
      yield page.map(({ before, after, ...entry }) => ({
        ...entry,
        before: textOf(before),
        after: textOf(after),
      }));
  },
});

function textOf(members: object | null): string | null {
  return members === null ? null : JSON.stringify(members);
}

export const auditRoutes = [list, csv];
