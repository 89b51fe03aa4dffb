import { Type, type Static } from 'typebox';
import { ACTIONS, ACTOR_TYPES } from '../domain/people/actor.ts';
import { nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

const Members = Type.Unsafe<Record<string, unknown>>({
  title: 'AuditMembers',
  type: 'object',
  additionalProperties: true,
  description: 'The members that changed, without others. Personal ones of a customer are `[personal]`.',
});

/**
 * An act as it was written, and who did it (contract.md 9); `reason` is read from its object, so that an erasure
 * reaches it.
 */
export const AuditEntryObject = responseObject('AuditEntry', {
  id: Type.String(),
  object: Type.Literal('audit_entry'),
  livemode: nullable(Type.Boolean({ description: 'Null for users, sessions and passkeys.' })),
  action: oneOf(ACTIONS),
  object_type: Type.String(),
  object_id: Type.String(),
  customer_id: nullable(Type.String({ description: "The customer's `external_id`, while there is one." })),
  invoice_id: nullable(Type.String()),
  actor: responseObject('Actor', {
    type: oneOf(ACTOR_TYPES),
    id: nullable(Type.String()),
    name: nullable(Type.String({ description: 'As it was at the time.' })),
  }),
  before: nullable(Members),
  after: nullable(Members),
  reason: nullable(Type.String()),
  request_id: nullable(Type.String()),
  address: nullable(Type.String()),
  created_at: ResponseInstant,
});
export type AuditEntry = Static<typeof AuditEntryObject>;
