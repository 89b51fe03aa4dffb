import { Type, type Static } from 'typebox';
import { identity, nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

export type KeyKind = (typeof KEY_KINDS)[number];
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

const KEY = {
  ...API_KEY,
  last_used_at: nullable(ResponseInstant),
  created_by: nullable(
    responseObject('KeyMaker', {
      type: oneOf(['user', 'command_line']),
      id: nullable(Type.String()),
      name: Type.String(),
    }),
  ),
  is_of_removed_user: Type.Boolean(),
};

/**
 * A key as a list shows it: never the secret. `created_by` has the present name, null for a key from before there were
 * users; a key goes on after its user is removed.
 */
export const KeyObject = responseObject('ApiKey', KEY);
export type ApiKey = Static<typeof KeyObject>;

/** A key with its secret, after it was made. */
export const NewKeyObject = responseObject('NewApiKey', {
  ...KEY,
  secret: Type.String({ description: 'The complete key; it is returned only once.' }),
});
