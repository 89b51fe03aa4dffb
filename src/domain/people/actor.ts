/**
 * Kinds of actors: a person, a program, the command line, a signal that somebody sends to a workflow by hand, billing
 * itself, and a payer by a portal link.
 */
export const ACTOR_TYPES = ['user', 'key', 'command_line', 'signal', 'system', 'portal_session'] as const;

/** Actions of the audit log: the kind of object, and what was done to it. */
export const ACTIONS = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.redacted',
  'pricing_plan.created',
  'pricing_plan.updated',
  'plan_migration.created',
  'plan_migration.finished',
  'subscription.created',
  'subscription.updated',
  'subscription.canceled',
  // A person has billing try again. The word is part of the API.
  'subscription.woken',
  'invoice.issued',
  'invoice.voided',
  'transfer.recorded',
  'payment.recorded',
  'payment.reversed',
  'credit_note.issued',
  'credit_note.voided',
  'balance_entry.created',
  'month.closed',
  'month.opened',
  'invoice_item.created',
  'invoice_item.deleted',
  'discount.created',
  'discount.updated',
  'credit_grant.created',
  'credit_grant.voided',
  'test_clock.advanced',
  'account.updated',
  'api_key.created',
  'api_key.revoked',
  'webhook_endpoint.created',
  'webhook_endpoint.updated',
  'webhook_endpoint.deleted',
  'user.invited',
  'user.updated',
  'user.removed',
  'session.created',
  'session.revoked',
  'passkey.created',
  'passkey.removed',
  'portal_session.created',
  'portal_session.revoked',
] as const;
