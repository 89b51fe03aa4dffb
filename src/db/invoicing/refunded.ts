/**
 * SQL: the provider made the payment `p`, by a charge, by a page, as the rest that a refund or a dispute leaves, or found
 * at night. Its `reference` is the charge. No client writes these ids into `created_by`.
 */
export function isByProvider(p: string): string {
  return `(${p}.created_by ~ '^(pat|pys|prf|pdp|pp)_' and ${p}.reference is not null)`;
}

/** SQL: what refunds of the payment `p` give back. */
export const REFUNDED = `(
    select coalesce(sum(f.amount), 0) from payment_refunds f
    where f.environment_id = p.environment_id and f.payment_id = p.id and f.status <> 'failed')`;

/**
 * SQL: what is left to refund of the payment `p`, 0 unless it stands and the provider made it: of all that stands of its
 * charge, what no credit note refunds.
 */
export const REFUNDABLE = `case when p.reversed_at is null and ${isByProvider('p')} then greatest(0, least(p.amount, (
      select sum(s.amount) from payments s
      where s.environment_id = p.environment_id and s.reference = p.reference and s.reversed_at is null
        and ${isByProvider('s')}) - (
      select coalesce(sum(f.amount), 0) from payment_refunds f
      where f.environment_id = p.environment_id and f.charge_reference = p.reference
        and f.credit_note_id is not null and f.status <> 'failed'))) else 0 end`;
