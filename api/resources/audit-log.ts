import { Type, type Static } from 'typebox';
import { listAuditEntries, type AuditFilter } from '../../src/db/account/audit-log.ts';
import { findCreditNoteNumbered } from '../../src/db/invoicing/credit-notes.ts';
import { findNumbered } from '../../src/db/invoicing/numbering.ts';
import type { Db } from '../../src/db/connection/pool.ts';
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
  object_id: Type.Optional({
    ...Identifier,
    description: 'The id of an object, or the number of an invoice or a credit note.',
  }),
  customer_id: Type.Optional(Identifier),
  actor: Type.Optional({ ...Identifier, description: 'The id of a user or a key, or a type of actors.' }),
  action: Type.Optional(oneOf(ACTIONS)),
  sign_ins: Type.Optional(
    oneOf(['true', 'false'], { description: '`false`: without the beginnings and ends of sessions.' }),
  ),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
};
const AllFilters = exactly(FILTERS);

const DESCRIPTION =
  '`object_id` also finds the payments and credit notes of an invoice, `customer_id` everything of a customer, deleted or not. `from` and `to` ' +
  'bound `created_at`, which is real time. Users, sessions and passkeys are in it for people alone.';

type Query = Static<typeof AllFilters>;

/** Filters as they are sent, which a cursor's seal covers. Throws invalid_request for a range that runs backwards. */
function sentFilters(query: Query, { kind }: Caller) {
  checkOrder(query);
  const { object_id = null, customer_id = null, actor = null, action = null, from = null, to = null } = query;
  const sent = { object_id, customer_id, actor, action, from, to, with_account: kind === 'session' };
  // A filter that is not sent is not in the cursor's seal: a filter of a later release leaves cursors valid.
  return query.sign_ins === undefined ? sent : { ...sent, sign_ins: query.sign_ins };
}

/** The filter of a query, in which a number stands for the ids of what has it. Throws as sentFilters does. */
async function filterOf(db: Db, query: Query, caller: Caller): Promise<AuditFilter> {
  const { object_id, ...filter } = sentFilters(query, caller);
  const with_sign_ins = query.sign_ins !== 'false';
  const object_ids =
    object_id === null ? null : [object_id, ...(await idsNumbered(db, caller.environment_id, object_id))];
  return { ...filter, object_ids, with_sign_ins };
}

async function idsNumbered(db: Db, environment_id: number, number: string): Promise<string[]> {
  const note = await findCreditNoteNumbered(db, environment_id, number);
  return [...(await findNumbered(db, environment_id, number)), ...(note === null ? [] : [note.id])];
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
  handle: async (request) => {
    const { db, caller, query } = request;
    const filter = await filterOf(db, query, caller);
    return listResponse(request, {
      name: 'audit_log',
      filters: sentFilters(query, caller),
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
    const filter = await filterOf(db, query, caller);
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
