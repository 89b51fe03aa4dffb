import { differs, when, type LoggedRow } from './logged-row.ts';

const ISSUED = new Set(['open', 'paid']);

/** The types of a step of a subscription from one status to a later one. */
export function notedSteps(from: string, to: string): string[] {
  if (from === to) return [];
  if (to === 'canceled') return ['canceled'];
  return [...when(from === 'pending', 'started'), ...when(from === 'trialing', 'trial_ended')];
}

/** The types of an invoice that leaves a status. */
export function issuedTypes(status_before: string, { status }: LoggedRow): string[] {
  return [
    ...when(status_before === 'draft' && ISSUED.has(`${status}`), 'issued'),
    ...when(status_before !== 'paid' && status === 'paid', 'paid'),
  ];
}

/** A grant that is used up has that type alone; one that expires with nothing left has none. */
export function grantTypes(before: LoggedRow, after: LoggedRow): string[] {
  if (before['voided_at'] === null && after['voided_at'] !== null) return ['voided'];
  if (before['expiry_noted_at'] === null && after['expiry_noted_at'] !== null)
    return when(before['remaining'] !== 0, 'expired');
  if (differs(before, after, ['noted_expiry'])) return ['expiring'];
  const is_used_up = before['remaining'] !== 0 && after['remaining'] === 0;
  if (is_used_up && after['expiry_noted_at'] === null) return ['depleted'];
  return when(differs(before, after, ['remaining', 'expires_at', 'carry_over_until']), 'updated');
}

/** The type of a notice of usage. */
export function noticeType({ cause }: LoggedRow): string {
  return cause === 'late' || cause === 'too_late' ? 'late' : 'unrated';
}

/** The log has updates of what an endpoint shows alone, a rotation of its secret among them. */
export function endpointType(before: LoggedRow, { status, deleted_at }: LoggedRow): string {
  if (deleted_at !== null) return 'deleted';
  if (before['status'] === status) return 'updated';
  return status === 'active' ? 'resumed' : `${status}`;
}

/** The type of an attempt that has ended; one that is under way has none. */
export function attemptTypes(status: string): string[] {
  if (status === 'succeeded' || status === 'action_required') return [status];
  return when(status === 'declined' || status === 'canceled', 'failed');
}

/** The type of a refund that has ended. */
export function refundTypes(status: string): string[] {
  return when(status !== 'pending', status);
}

/** The type of a dispute that has ended. */
export function disputeTypes(status: string): string[] {
  return when(status === 'won' || status === 'lost', status);
}
