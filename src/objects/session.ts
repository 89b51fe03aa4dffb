import { Type, type Static } from 'typebox';
import { nullable, ResponseInstant, responseObject } from './parts.ts';

/** A session as the settings show it: never its token. `expires_at` is when it ends if nobody uses it again. */
export const SessionObject = responseObject('Session', {
  id: Type.String(),
  object: Type.Literal('session'),
  user: responseObject('SessionUser', { id: Type.String(), name: Type.String() }),
  browser: nullable(
    Type.String({
      description: 'The browser and its system, such as Chrome on Linux; null if neither is known.',
    }),
  ),
  user_agent: nullable(Type.String()),
  address: nullable(Type.String()),
  created_at: ResponseInstant,
  last_used_at: nullable(ResponseInstant),
  expires_at: ResponseInstant,
  is_current: Type.Boolean(),
});
export type Session = Static<typeof SessionObject>;
