/** SQL: what is due of the issued invoice `i` while it is not void. */
export const DUE = 'i.total - i.amount_paid - i.balance_applied - i.credited';

/** SQL: zero with the minor digits of the currency of `i`: "0.00", JPY "0". */
export const NOTHING = '(i.total - i.total)';

/** SQL: what is due of the invoice `i`; of a draft, its total. */
export const AMOUNT_DUE = `case when i.status = 'void' then ${NOTHING} else ${DUE} end`;

/** SQL: billing issued the credit note `k` itself (billing.md 7). */
export const IS_AUTOMATIC = 'k.created_by is null';

/** SQL: what the automatic credit notes that stand take off the line `l`, net. */
export const AUTOMATICALLY_CREDITED = `(
  select coalesce(sum(x.amount), 0) from credit_note_lines x
  join credit_notes k on k.environment_id = x.environment_id and k.id = x.credit_note_id
    and k.status = 'issued' and ${IS_AUTOMATIC}
  where x.environment_id = l.environment_id and x.line_item_id = l.id)`;
