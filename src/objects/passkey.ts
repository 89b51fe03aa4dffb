import { Type, type Static } from 'typebox';
import { nullable, ResponseInstant, responseObject } from './parts.ts';

/** A passkey as its owner sees it. */
export const PasskeyObject = responseObject('Passkey', {
  id: Type.String(),
  object: Type.Literal('passkey'),
  name: Type.String(),
  created_at: ResponseInstant,
  last_used_at: nullable(ResponseInstant),
});
export type Passkey = Static<typeof PasskeyObject>;
