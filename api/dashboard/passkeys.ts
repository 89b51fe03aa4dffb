import { Type } from 'typebox';
import {
  credentialIdsOf,
  deletePasskey,
  insertPasskey,
  listPasskeys,
  lockPasskeys,
} from '../../src/db/account/passkeys.ts';
import { conflict, invalid } from '../../src/domain/money/errors.ts';
import { exactly, responseObject } from '../../src/objects/parts.ts';
import { PasskeyObject } from '../../src/objects/passkey.ts';
import { notFoundError } from '../http/errors.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { listOf, Name, PAGE } from '../schema/schemas.ts';
import { optionsToAdd, verifiedCredential } from '../sign-in/passkeys.ts';

const PASSKEYS_MAX = 10;

/** An object whose members the browser and its library decide on. */
const OfBrowser = Type.Unsafe<object>({ type: 'object', additionalProperties: true });

const COMMON = { tag: 'Dashboard', session_only: true } as const;

const list = route({
  ...COMMON,
  method: 'get',
  path: '/dashboard/api/passkeys',
  operation_id: 'listPasskeys',
  summary: 'Your passkeys, newest first',
  query: exactly(PAGE),
  responses: { 200: listOf(PasskeyObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'passkeys',
      filters: {},
      fetch: (page) => listPasskeys(request.db, request.caller.actor_id, page),
      show: (passkey) => passkey,
    }),
});

const options = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/passkeys/options',
  operation_id: 'getPasskeyOptions',
  summary: 'Options for a browser that makes a passkey; good for 5 minutes, once',
  body: exactly({}),
  body_may_be_absent: true,
  responses: { 200: responseObject('PasskeyOptions', { options: OfBrowser }) },
  handle: async ({ deps, db, caller: { user } }) => {
    const known = await credentialIdsOf(db, user!.id);
    return { status: 200, body: { options: await optionsToAdd(deps, user!, known) } };
  },
});

const create = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/passkeys',
  operation_id: 'createPasskey',
  summary: `Add a passkey; at most ${PASSKEYS_MAX}`,
  body: exactly({ name: Name, response: OfBrowser }),
  responses: { 201: PasskeyObject },
  handle: async ({ deps, db, caller: { actor_id: user_id }, body: { name, response } }) => {
    if ((await lockPasskeys(db, user_id)) >= PASSKEYS_MAX)
      throw conflict(null, 'too_many', `you have ${PASSKEYS_MAX} passkeys already: remove one first`);
    const credential = await verifiedCredential(deps, db, { user_id, response });
    if (credential === null)
      throw invalid(
        'response',
        'malformed',
        'response is not the answer of a browser to the options, or too late',
      );
    const passkey = await insertPasskey(db, { user_id, name, credential });
    if (passkey === null) throw conflict('response', 'invalid_state', 'this passkey is known already');
    return { status: 201, body: passkey };
  },
});

const remove = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/passkeys/{id}/remove',
  operation_id: 'removePasskey',
  summary: 'Remove a passkey of yours',
  body: exactly({}),
  body_may_be_absent: true,
  responses: { 200: PasskeyObject },
  handle: async ({ db, caller, params }) => {
    const passkey = await deletePasskey(db, caller.actor_id, params['id']!);
    if (passkey === null) throw notFoundError();
    return { status: 200, body: passkey };
  },
});

export const passkeyRoutes = [list, options, create, remove];
