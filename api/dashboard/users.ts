import { Type, type Static } from 'typebox';
import { deleteInvitations, insertSignInLink } from '../../src/db/account/sign-in-links.ts';
import { deletePasskeysOf } from '../../src/db/account/passkeys.ts';
import { revokeSessionsOf } from '../../src/db/account/sessions.ts';
import {
  findUser,
  findUserByEmail,
  hasOtherAdmin,
  insertUser,
  listUsers,
  lockUsers,
  updateUser,
  type User,
} from '../../src/db/account/users.ts';
import type { Db } from '../../src/db/connection/pool.ts';
import { BillingError, conflict } from '../../src/domain/money/errors.ts';
import { ROLES, type Role } from '../../src/domain/people/role.ts';
import { exactly, nullable, oneOf, responseObject, ResponseInstant } from '../../src/objects/parts.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import { signInAddress } from '../../src/db/account/sign-in-link.ts';
import { hashOfToken, newToken } from '../../src/keys/token.ts';
import type { Caller, Deps } from '../http/deps.ts';
import { notFoundError } from '../http/errors.ts';
import { listResponse } from '../routing/list.ts';
import { route } from '../routing/route.ts';
import { Email, listOf, Name, PAGE } from '../schema/schemas.ts';

const INVITATION_HOURS = 7 * 24;

const USER = {
  id: Type.String(),
  object: Type.Literal('user'),
  email: nullable(Type.String()),
  name: Type.String(),
  role: oneOf(ROLES),
  role_from: oneOf(['admin', 'provider']),
  status: oneOf(['invited', 'active', 'removed']),
  created_at: ResponseInstant,
};
const UserObject = responseObject('User', USER);
const InvitedUser = responseObject('InvitedUser', {
  ...USER,
  invite_url: Type.String({
    description: 'The link that signs the person in, once; it is returned only here.',
  }),
  invite_expires_at: ResponseInstant,
});

const COMMON = { tag: 'Dashboard', session_only: true } as const;
const ACTION = { ...COMMON, method: 'post', body: exactly({}), body_may_be_absent: true } as const;

const list = route({
  ...COMMON,
  method: 'get',
  path: '/dashboard/api/users',
  operation_id: 'listUsers',
  summary: 'Users of the account, newest first',
  query: exactly(PAGE),
  responses: { 200: listOf(UserObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'users',
      filters: {},
      fetch: (page) => listUsers(request.db, request.caller.environment_id, page),
      show: (user) => user,
    }),
});

const InvitationBody = exactly({ email: Email, name: Name, role: oneOf(ROLES) });

const invite = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/users',
  operation_id: 'inviteUser',
  summary: 'Invite a person; one who was removed is the same user again',
  body: InvitationBody,
  responses: { 201: InvitedUser },
  handle: async ({ deps, db, caller, body }) => {
    const { environment_id } = caller;
    await lockAsAdmin(db, caller);
    const id = await invitedId(db, environment_id, body);
    const user = (await findUser(db, environment_id, id))!;
    return { status: 201, body: await withInvitation(deps, db, { user, caller }) };
  },
});

/**
 * The id of the person who is invited. Throws conflict `email_taken` for the email of another user who is not removed.
 */
async function invitedId(
  db: Db,
  environment_id: number,
  body: Static<typeof InvitationBody>,
): Promise<string> {
  const known = await findUserByEmail(db, environment_id, body.email);
  if (known === null) return insertUser(db, environment_id, body);
  if (known.status !== 'removed')
    throw conflict('email', 'email_taken', `email is that of the user ${known.id}`);
  await updateUser(db, known.id, { ...body, role_from: 'admin', status: 'invited' });
  return known.id;
}

const update = route({
  ...COMMON,
  method: 'patch',
  path: '/dashboard/api/users/{id}',
  operation_id: 'updateUser',
  summary: 'Change the name or the role of a user; every process knows within 5 seconds',
  body: exactly({ name: Type.Optional(Name), role: Type.Optional(oneOf(ROLES)) }),
  responses: { 200: UserObject },
  refusals: ['conflict'],
  handle: async ({ db, caller, params, body }) => {
    const user = await lockedUser(db, caller, params['id']!);
    if (body.role !== undefined && body.role !== user.role) await refuseRole(db, caller, user, body.role);
    await updateUser(db, user.id, body);
    return { status: 200, body: { ...user, ...body } };
  },
});

const renew = route({
  ...ACTION,
  path: '/dashboard/api/users/{id}/invite',
  operation_id: 'renewInvitation',
  summary: 'Make a new sign-in link for a user; the one before is void',
  responses: { 200: InvitedUser },
  handle: async ({ deps, db, caller, params }) => {
    const user = await lockedUser(db, caller, params['id']!);
    if (user.status === 'removed') throw conflict(null, 'invalid_state', `user ${user.id} is removed`);
    return { status: 200, body: await withInvitation(deps, db, { user, caller }) };
  },
});

const remove = route({
  ...ACTION,
  path: '/dashboard/api/users/{id}/remove',
  operation_id: 'removeUser',
  summary: 'Remove a user: sessions, links and passkeys end, the name stays beside what the user did',
  responses: { 200: UserObject },
  handle: async ({ db, caller, params }) => {
    const user = await lockedUser(db, caller, params['id']!);
    if (user.status === 'removed')
      throw conflict(null, 'invalid_state', `user ${user.id} is removed already`);
    await refuseLoss(db, caller, user, 'remove');
    await updateUser(db, user.id, { status: 'removed' });
    await deleteInvitations(db, user.id);
    await deletePasskeysOf(db, user.id);
    await revokeSessionsOf(db, user.id);
    return { status: 200, body: { ...user, status: 'removed' } };
  },
});

const revokeSessions = route({
  ...ACTION,
  path: '/dashboard/api/users/{id}/revoke-sessions',
  operation_id: 'revokeSessionsOfUser',
  summary: 'End all sessions of a user',
  responses: { 200: UserObject },
  handle: async ({ db, caller, params }) => {
    const user = await lockedUser(db, caller, params['id']!);
    await revokeSessionsOf(db, user.id);
    return { status: 200, body: user };
  },
});

/**
 * Locks the users. Throws unauthorized `not_permitted` where the caller has been demoted or removed since the request
 * was let in.
 */
async function lockAsAdmin(db: Db, { environment_id, actor_id }: Caller): Promise<void> {
  await lockUsers(db, environment_id);
  const caller = await findUser(db, environment_id, actor_id);
  if (caller?.status === 'active' && caller.role === 'admin') return;
  throw new BillingError('unauthorized', [
    { param: null, reason: 'not_permitted', message: 'you are no admin any more' },
  ]);
}

async function lockedUser(db: Db, caller: Caller, id: string): Promise<User> {
  await lockAsAdmin(db, caller);
  const user = await findUser(db, caller.environment_id, id);
  if (user === null) throw notFoundError();
  return user;
}

/**
 * Throws conflict `invalid_state` for a role that the provider decides on, and where a demotion would lose the caller
 * or the last admin.
 */
async function refuseRole(db: Db, caller: Caller, user: User, role: Role): Promise<void> {
  if (user.role_from === 'provider')
    throw conflict('role', 'invalid_state', `the provider decides on the role of user ${user.id}`);
  if (user.role === 'admin' && role !== 'admin') await refuseLoss(db, caller, user, 'demote');
}

/** Throws conflict `invalid_state` where an admin would remove or demote oneself, or the last active admin. */
async function refuseLoss(db: Db, caller: Caller, user: User, act: 'remove' | 'demote'): Promise<void> {
  if (user.id === caller.actor_id)
    throw conflict(null, 'invalid_state', `you cannot ${act} yourself: ask another admin`);
  const is_admin = user.role === 'admin' && user.status === 'active';
  if (is_admin && !(await hasOtherAdmin(db, caller.environment_id, user.id)))
    throw conflict(null, 'invalid_state', `user ${user.id} is the last active admin`);
}

/** The user with a new link, which replaces the one before. */
async function withInvitation({ config }: Deps, db: Db, { user, caller }: { user: User; caller: Caller }) {
  const token = newToken();
  await deleteInvitations(db, user.id);
  const link = {
    token_hash: hashOfToken(token),
    user_id: user.id,
    hours: INVITATION_HOURS,
    restores_owner: false,
    created_by: caller.actor_id,
  };
  const invite_expires_at = await insertSignInLink(db, link);
  return { ...user, invite_url: signInAddress(dashboardUrlOf(config), token), invite_expires_at };
}

export const userRoutes = [list, invite, update, renew, remove, revokeSessions];
