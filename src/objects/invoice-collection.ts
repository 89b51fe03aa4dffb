import { Type } from 'typebox';
import { COLLECTION_STATUSES } from '../domain/collection/schedule.ts';
import { nullable, oneOf, ResponseInstant, responseObject } from './parts.ts';

/** How far the charges of an invoice are (contract.md 17). */
export const InvoiceCollection = responseObject('InvoiceCollection', {
  status: oneOf(COLLECTION_STATUSES),
  attempts: Type.Integer({ description: 'How many attempts to charge it were made.' }),
  next_attempt_at: nullable({ ...ResponseInstant, description: 'When it is charged next by itself.' }),
  workflow_id: nullable(Type.String({ description: 'Null before its first plan and its first attempt.' })),
});
