import { Type } from 'typebox';
import { findAccount } from '../../src/db/account/accounts.ts';
import { listSessions, revokeSession } from '../../src/db/account/sessions.ts';
import { notFoundError } from '../http/errors.ts';
import { listResponse } from '../routing/list.ts';
import { workflowLists } from './workflow-lists.ts';
import { route } from '../routing/route.ts';
import { listOf, PAGE } from '../schema/schemas.ts';
import { ResponseInstant, responseObject, exactly, nullable } from '../../src/objects/parts.ts';
import { noSessionCookie } from '../access/session-cookie.ts';

const SESSION = {
  id: Type.String(),
  object: Type.Literal('session'),
  created_at: ResponseInstant,
  expires_at: ResponseInstant,
  last_used_at: nullable(ResponseInstant),
};

const SessionObject = responseObject('Session', { ...SESSION, is_current: Type.Boolean() });

const Ended = responseObject('EndedSession', { id: Type.String(), object: Type.Literal('ended_session') });

const Dashboard = responseObject('Dashboard', {
  object: Type.Literal('dashboard'),
  session_id: Type.String(),
  account: responseObject('DashboardAccount', { name: Type.String(), currency: Type.String() }),
  temporal_ui_url: nullable(Type.String()),
  temporal_namespace: Type.String(),
  workflow_lists: Type.Array(responseObject('WorkflowList', { name: Type.String(), query: Type.String() }), {
    description: "Filters of the Temporal UI's list.",
  }),
});

const COMMON = { tag: 'Dashboard', session_only: true } as const;

const read = route({
  ...COMMON,
  method: 'get',
  path: '/dashboard/api/session',
  operation_id: 'getSession',
  summary: 'Get the signed-in session and the settings of the dashboard',
  responses: { 200: Dashboard },
  handle: async ({ deps, db, caller }) => {
    const { temporal_ui_url, temporal_namespace } = deps.config;
    const { name, currency } = await findAccount(db, caller.environment_id);
    const account = { name, currency };
    const session_id = caller.key_id;
    const workflow_lists = workflowLists(new Date().toISOString());
    return {
      status: 200,
      body: {
        object: 'dashboard',
        session_id,
        account,
        temporal_ui_url,
        temporal_namespace,
        workflow_lists,
      },
    };
  },
});

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
    await revokeSession(db, caller.environment_id, caller.key_id);
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
  summary: 'List the sessions of the account, newest first',
  query: exactly(PAGE),
  responses: { 200: listOf(SessionObject) },
  handle: (request) =>
    listResponse(request, {
      name: 'sessions',
      filters: {},
      fetch: (page) => listSessions(request.db, request.caller.environment_id, page),
      show: (session) => ({ ...session, is_current: session.id === request.caller.key_id }),
    }),
});

const revoke = route({
  ...COMMON,
  method: 'post',
  path: '/dashboard/api/sessions/{id}/revoke',
  operation_id: 'revokeSession',
  summary: 'End a session',
  body: exactly({}),
  body_may_be_absent: true,
  responses: { 200: Ended },
  handle: async ({ db, caller, params }) => {
    const id = params['id']!;
    if (!(await revokeSession(db, caller.environment_id, id))) throw notFoundError();
    return { status: 200, body: { id, object: 'ended_session' } };
  },
});

export const sessionRoutes = [read, end, list, revoke];
