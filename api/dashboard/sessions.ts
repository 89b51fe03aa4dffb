import { Type } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import { listSessions, revokeSession } from '../../src/db/account/sessions.ts';
import { namesOfAdmins } from '../../src/db/account/users.ts';
import { notFoundError } from '../http/errors.ts';
import { listResponse } from '../routing/list.ts';
import { workflowLists } from './workflow-lists.ts';
import { route, type Route } from '../routing/route.ts';
import { listOf, PAGE } from '../schema/schemas.ts';
import { responseObject, exactly, nullable, oneOf } from '../../src/objects/parts.ts';
import { SessionObject } from '../../src/objects/session.ts';
import { browserOf } from '../../src/domain/people/browser.ts';
import { ROLES, type Role } from '../../src/domain/people/role.ts';
import type { Caller } from '../http/deps.ts';
import { noSessionCookie } from '../access/session-cookie.ts';

const ADMINS_MAX = 3;

const Ended = responseObject('EndedSession', { id: Type.String(), object: Type.Literal('ended_session') });

const Dashboard = responseObject('Dashboard', {
  object: Type.Literal('dashboard'),
  session_id: Type.String(),
  user: responseObject('DashboardUser', {
    id: Type.String(),
    email: nullable(Type.String()),
    name: Type.String(),
    role: oneOf(ROLES),
  }),
  may: Type.Array(Type.String(), { description: 'Ids of the operations that the role of the user may use.' }),
  admins: Type.Array(Type.String(), {
    description: `Names of those to ask for what the role may not do: at most ${ADMINS_MAX} active admins.`,
  }),
  account: responseObject('DashboardAccount', {
    name: Type.String(),
    currency: Type.String(),
    timezone: Type.String(),
  }),
  temporal_ui_url: nullable(Type.String()),
  temporal_namespace: Type.String(),
  workflow_lists: Type.Array(responseObject('WorkflowList', { name: Type.String(), query: Type.String() }), {
    description: "Filters of the Temporal UI's list.",
  }),
});

const COMMON = { tag: 'Dashboard', session_only: true } as const;

/** The route of a page's start; `may` returns the ids of the operations that a role may use. */
export function readSession(may: (role: Role) => string[]): Route {
  return route({
    ...COMMON,
    method: 'get',
    path: '/dashboard/api/session',
    operation_id: 'getSession',
    summary: 'Get the signed-in session, its user, and the settings of the dashboard',
    responses: { 200: Dashboard },
    handle: async ({ deps, db, caller }) => {
      const { temporal_ui_url, temporal_namespace } = deps.config;
      const { name, currency, timezone } = await findAccount(db, caller.environment_id);
      const user = caller.user!;
      return {
        status: 200,
        body: {
          object: 'dashboard',
          session_id: caller.key_id,
          user,
          may: may(user.role),
          admins: await namesOfAdmins(db, caller.environment_id, ADMINS_MAX),
          account: { name, currency, timezone },
          temporal_ui_url,
          temporal_namespace,
          workflow_lists: workflowLists(new Date().toISOString()),
        },
      };
    },
  });
}

const end = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/session/end',
  operation_id: 'endSession',
  summary: 'Sign out',
  body: exactly({}),
  body_may_be_absent: true,
  responses: { 200: Ended },
  handle: async ({ db, caller }) => {
    await revokeSession(db, caller.environment_id, { id: caller.key_id, user_id: caller.actor_id });
    return {
      status: 200,
      body: { id: caller.key_id, object: 'ended_session' },
      headers: { 'Set-Cookie': noSessionCookie() },
    };
  },
});

const list = route({
  ...COMMON,
  method: 'get',
  path: '/dashboard/api/sessions',
  operation_id: 'listSessions',
  summary: 'Your sessions, newest first; an admin sees those of all users',
  query: exactly(PAGE),
  responses: { 200: listOf(SessionObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'sessions',
      filters: {},
      fetch: (page) =>
        listSessions(request.db, request.caller.environment_id, {
          ...page,
          user_id: ownOnly(request.caller),
        }),
      show: (session) => ({
        ...session,
        browser: session.user_agent === null ? null : browserOf(session.user_agent),
        is_current: session.id === request.caller.key_id,
      }),
    }),
});

const revoke = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/sessions/{id}/revoke',
  operation_id: 'revokeSession',
  summary: 'End a session of yours; an admin may end any',
  body: exactly({}),
  body_may_be_absent: true,
  responses: { 200: Ended },
  handle: async ({ db, caller, params }) => {
    const id = params['id']!;
    const which = { id, user_id: ownOnly(caller) };
    if (!(await revokeSession(db, caller.environment_id, which))) throw notFoundError();
    return { status: 200, body: { id, object: 'ended_session' } };
  },
});

/** The user whose sessions the caller may see and end; null for those of all users. */
function ownOnly({ user }: Caller): string | null {
  return user!.role === 'admin' ? null : user!.id;
}

export const sessionRoutes = [end, list, revoke];
