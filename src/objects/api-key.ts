import { Type } from 'typebox';
import { identity, nullable, oneOf, ResponseInstant } from './parts.ts';

export const KEY_KINDS = ['full', 'events_only', 'read_only'] as const;

/** The members of a key that a change of it has; the dashboard has the last use besides. */
export const API_KEY = {
  ...identity('api_key'),
  name: Type.String(),
  kind: oneOf(KEY_KINDS),
  last_four: Type.String(),
  expires_at: nullable(ResponseInstant),
  revoked_at: nullable(ResponseInstant),
};
