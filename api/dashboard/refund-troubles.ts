import { Type } from 'typebox';
import {
  nullable,
  oneOf,
  ResponseDecimal,
  ResponseInstant,
  responseObject,
} from '../../src/objects/parts.ts';

/** Refunds and disputes that Home lists. */
export const REFUND_TROUBLES_MAX = 20;

/** Money of a charge that a person has to look at (billing.md 23). */
export const RefundTrouble = responseObject('RefundTrouble', {
  id: Type.String(),
  kind: oneOf(['refund', 'dispute', 'note'], {
    description: 'A refund or a dispute that cannot be booked, or a refund of a credit note that has failed.',
  }),
  customer_id: Type.String(),
  invoice_id: nullable(Type.String()),
  amount: ResponseDecimal,
  currency: Type.String(),
  created_at: ResponseInstant,
  fault: nullable(Type.String({ description: 'Why it cannot be booked.' })),
});
