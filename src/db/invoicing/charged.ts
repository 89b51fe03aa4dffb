/** SQL: the attempt `a` to charge an invoice is open. */
export const IS_OPEN = `a.status in ('pending', 'processing')`;

/** SQL: an open page on which the invoice `i` is paid, which `more` narrows. */
const openPage = (more = '') => `exists (
    select from payment_pages y
    where y.environment_id = i.environment_id and y.invoice_id = i.id and y.status = 'open'${more})`;

/** SQL: the invoice `i` has a page that its payer can pay, or has paid by a debit that takes days. */
export const HAS_OPEN_PAGE = openPage();

/** SQL: a charge of the invoice `i` is under way: an attempt, or a page that was paid by a debit that takes days. */
export const IS_CHARGED = `(exists (
    select from payment_attempts a
    where a.environment_id = i.environment_id and a.invoice_id = i.id and ${IS_OPEN})
    or ${openPage(' and y.intent_reference is not null')})`;
