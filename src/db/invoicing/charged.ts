/** SQL: the attempt `a` to charge an invoice is open. */
export const IS_OPEN = `a.status in ('pending', 'processing')`;

/** SQL: a charge of the invoice `i` is under way. */
export const IS_CHARGED = `exists (
    select from payment_attempts a
    where a.environment_id = i.environment_id and a.invoice_id = i.id and ${IS_OPEN})`;
