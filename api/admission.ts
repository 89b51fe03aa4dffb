import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate } from './auth.ts';
import { unauthorized } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import { takeUnit } from './rate-limit.ts';
import type { Caller, Deps } from './route.ts';

/**
 * What stands before every route of /v1, in the contract's order: the key, then one unit of its rate, before a byte of the body
 * is read. A key of kind events_only opens nothing but `for_events`. Throws unauthorized and rate_limited.
 */
export async function admit(
  request: IncomingMessage,
  response: ServerResponse,
  deps: Deps,
  purpose: 'for_events' | 'for_anything',
): Promise<Caller> {
  const caller = await authenticate(request, deps);
  exchangeOf(response).key_id = caller.key_id;
  await takeUnit(response, caller, deps);
  if (caller.kind === 'events_only' && purpose !== 'for_events') throw unauthorized();
  return caller;
}
