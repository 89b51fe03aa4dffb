import { Type, type Static } from 'typebox';
import { ROLES } from '../domain/people/role.ts';
import { nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

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

/**
 * A person of the account. `email` is null for an owner without one; an admin or the provider that people sign in with
 * decides on the role.
 */
export const UserObject = responseObject('User', USER);
export type User = Static<typeof UserObject>;

/** A user with the link that signs the person in. */
export const InvitedUser = responseObject('InvitedUser', {
  ...USER,
  invite_url: Type.String({
    description: 'The link that signs the person in, once; it is returned only here.',
  }),
  invite_expires_at: ResponseInstant,
});
