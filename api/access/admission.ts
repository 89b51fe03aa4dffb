import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate } from './auth.ts';
import { unauthorized } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';
import { takeUnit } from './rate-limit.ts';
import type { Caller, Deps } from '../http/deps.ts';

/** What a route needs permission for: sending events, the dashboard's own requests, or anything else. */
export type RequiredScope = 'for_events' | 'for_dashboard' | 'for_anything';

const SCOPES: Record<Caller['kind'], readonly RequiredScope[]> = {
  full: ['for_events', 'for_anything'],
  events_only: ['for_events'],
  session: ['for_events', 'for_anything', 'for_dashboard'],
};

/**
 * Runs the checks before every route, in the order of contract.md 1: authenticates the key or session, then takes one unit of its rate,
 * before the body is read. Throws unauthorized, also if the caller lacks the scope, and rate_limited.
 */
export async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  deps: Deps,
  required_scope: RequiredScope,
): Promise<Caller> {
  const caller = await authenticate(request, deps);
  exchangeOf(response).key_id = caller.key_id;
  await takeUnit(response, caller, deps);
  if (!SCOPES[caller.kind].includes(required_scope)) throw unauthorized();
  return caller;
}
