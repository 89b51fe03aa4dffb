import { Type } from 'typebox';
import { newPortalToken, hashOfKey } from '../../src/keys/api-key.ts';
import { isShownToCustomer } from '../../src/db/account/portal-objects.ts';
import {
  findPortalSession,
  insertPortalSession,
  listPortalSessions,
  revokePortalSession,
} from '../../src/db/account/portal-sessions.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { conflict, notFound } from '../../src/domain/money/errors.ts';
import { exactly } from '../../src/objects/parts.ts';
import { NewPortalSession, PortalSessionObject } from '../../src/objects/portal-session.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import { notFoundError } from '../http/errors.ts';
import * as examples from '../reference/examples/portal-sessions.ts';
import { foundOr404 } from '../routing/found.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Identifier, listOf, PAGE } from '../schema/schemas.ts';

const TAG = { tag: 'Portal sessions' } as const;
const PATH = '/v1/portal-sessions';
const MINUTES_MAX = 1440;

const create = route({
  ...TAG,
  method: 'post',
  path: PATH,
  operation_id: 'createPortalSession',
  summary: 'Make a link by which a customer reads its own documents and usage',
  description:
    'A person who has the link reads what the customer may see, until `expires_at`, and changes nothing. `url` is returned only here and kept ' +
    'nowhere: a request that is sent again makes another link, also with the same `Idempotency-Key`.',
  keeps_no_response: true,
  body: exactly({
    customer_id: Identifier,
    invoice_id: Type.Optional({
      ...Identifier,
      description: 'An issued invoice of the customer, at which the page opens.',
    }),
    expires_in_minutes: Type.Integer({ minimum: 1, maximum: MINUTES_MAX, default: 60 }),
  }),
  examples: examples.create,
  refusals: ['not_found'],
  responses: { 201: NewPortalSession },
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id, actor_id: created_by } = caller;
    const { customer_id, invoice_id, expires_in_minutes: minutes } = body;
    const token = newPortalToken();
    const new_session = { customer_id, minutes, created_by, token_hash: hashOfKey(token) };
    const made = await insertPortalSession(db, environment_id, new_session);
    if (made === null)
      throw notFound('customer_id', 'unknown_customer', 'customer_id does not match any customer');
    if (invoice_id !== undefined)
      await checkShown(db, { environment_id, customer_id: made.customer_id }, invoice_id);
    const session = (await findPortalSession(db, environment_id, made.id))!;
    const page = `portal${invoice_id === undefined ? '' : `?invoice_id=${invoice_id}`}`;
    // In the fragment, which browsers send to nobody.
    return { status: 201, body: { ...session, url: `${dashboardUrlOf(deps.config)}${page}#${token}` } };
  },
});

/** Throws not_found `unknown_invoice` for an invoice that the customer does not see by its link. */
async function checkShown(
  db: Db,
  whose: { environment_id: number; customer_id: string },
  invoice_id: string,
): Promise<void> {
  if (await isShownToCustomer(db, whose, { kind: 'invoice', id: invoice_id })) return;
  const message = 'invoice_id does not match any issued invoice of the customer';
  throw notFound('invoice_id', 'unknown_invoice', message);
}

const list = route({
  ...TAG,
  method: 'get',
  path: PATH,
  operation_id: 'listPortalSessions',
  summary: 'Links that can be used, newest first',
  query: exactly({ customer_id: Type.Optional(Identifier), ...PAGE }),
  examples: examples.list,
  responses: { 200: listOf(PortalSessionObject) },
  handle: (request) => {
    const { db, caller, query } = request;
    const { customer_id = null } = query;
    return listResponse(request, {
      name: 'portal_sessions',
      filters: { customer_id },
      fetch: (page) => listPortalSessions(db, caller.environment_id, { customer_id, ...page }),
      show: (session) => session,
    });
  },
});

const read = route({
  ...TAG,
  method: 'get',
  path: `${PATH}/{id}`,
  operation_id: 'getPortalSession',
  summary: 'Get a link, whether it can be used or not',
  description: 'A portal link reads itself: its `id` is then `self`.',
  examples: examples.read,
  responses: { 200: PortalSessionObject },
  handle: async ({ db, caller: { environment_id }, params }) => {
    return foundOr404(await findPortalSession(db, environment_id, params['id']!));
  },
});

const revoke = route({
  ...TAG,
  method: 'post',
  path: `${PATH}/{id}/revoke`,
  operation_id: 'revokePortalSession',
  summary: 'End a link; every process refuses it from then on',
  description: 'A portal link ends itself: its `id` is then `self`, and it keeps no `Idempotency-Key`.',
  body: exactly({}),
  body_may_be_absent: true,
  examples: examples.revoke,
  responses: { 200: PortalSessionObject },
  handle: async ({ db, caller: { environment_id }, params }) => {
    const id = params['id']!;
    const is_revoked = await revokePortalSession(db, environment_id, id);
    const session = await findPortalSession(db, environment_id, id);
    if (session === null) throw notFoundError();
    if (!is_revoked) throw conflict(null, 'invalid_state', `portal session ${id} is over or revoked already`);
    return { status: 200, body: session };
  },
});

export const portalSessionRoutes = [create, list, revoke, read];
