import { Type, type Static } from 'typebox';
import { EMAIL_STATUSES } from '../domain/email/email.ts';
import { PauseOfCollection } from './collection-pause.ts';
import { nullable, oneOf, ResponseDecimal, ResponseInstant, responseObject } from './parts.ts';
import { DaysOverdue } from './statement.ts';

/** An open invoice that is overdue or paused (contract.md 14). */
export const CollectionCase = responseObject('CollectionCase', {
  object: Type.Literal('collection_case'),
  livemode: Type.Boolean(),
  invoice_id: Type.String(),
  number: Type.String(),
  customer_id: Type.String(),
  customer_name: nullable(Type.String()),
  currency: Type.String(),
  total: ResponseDecimal,
  amount_due: ResponseDecimal,
  due_date: Type.String(),
  overdue: Type.Boolean(),
  days_overdue: DaysOverdue,
  invoice_pause: PauseOfCollection,
  customer_pause: PauseOfCollection,
  last_reminder: nullable(
    responseObject('LastReminder', {
      email_id: Type.String(),
      status: oneOf(EMAIL_STATUSES),
      send_at: ResponseInstant,
      sent_at: nullable(ResponseInstant),
    }),
  ),
});
export type CollectionCase = Static<typeof CollectionCase>;
