import { newApiKey } from '../../src/keys/api-key.ts';
import { findKey, insertKey, listKeys, revokeKey } from '../../src/db/account/api-keys.ts';
import { conflict } from '../../src/domain/money/errors.ts';
import { notFoundError } from '../http/errors.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { listOf, Name, PAGE } from '../schema/schemas.ts';
import { KEY_KINDS, KeyObject, NewKeyObject } from '../../src/objects/api-key.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';

const COMMON = { tag: 'Dashboard', session_only: true } as const;

const create = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/keys',
  operation_id: 'createKey',
  summary: 'Create an API key for the environment',
  body: exactly({ name: Name, kind: oneOf(KEY_KINDS, { default: 'full' }) }),
  responses: { 201: NewKeyObject },
  handle: async ({ db, caller, body }) => {
    const secret = newApiKey(caller.livemode);
    const id = await insertKey(db, caller.environment_id, { secret, ...body, created_by: caller.actor_id });
    return { status: 201, body: { ...(await findKey(db, caller.environment_id, id))!, secret } };
  },
});

const list = route({
  ...COMMON,
  method: 'get',
  path: '/dashboard/api/keys',
  operation_id: 'listKeys',
  summary: 'API keys of the environment, newest first',
  query: exactly(PAGE),
  responses: { 200: listOf(KeyObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'api_keys',
      filters: {},
      fetch: (page) => listKeys(request.db, request.caller.environment_id, page),
      show: (key) => key,
    }),
});

const revoke = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/keys/{id}/revoke',
  operation_id: 'revokeKey',
  summary: 'Revoke a key; every process rejects it within 5 seconds',
  body: exactly({}),
  body_may_be_absent: true,
  responses: { 200: KeyObject },
  handle: async ({ db, caller, params }) => {
    const { environment_id } = caller;
    const id = params['id']!;
    const revoked = await revokeKey(db, environment_id, id);
    const key = await findKey(db, environment_id, id);
    if (key === null) throw notFoundError();
    if (!revoked) throw conflict(null, 'invalid_state', `key ${id} is already revoked`);
    return { status: 200, body: key };
  },
});

export const keyRoutes = [create, list, revoke];
