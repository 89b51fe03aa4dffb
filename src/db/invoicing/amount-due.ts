/** SQL: what is due of the issued invoice `i` while it is not void. */
export const DUE = 'i.total - i.amount_paid - i.balance_applied - i.credited';

/** SQL: zero with the minor digits of the currency of `i`: "0.00", JPY "0". */
export const NOTHING = '(i.total - i.total)';

/** SQL: what is due of the invoice `i`; of a draft, its total. */
export const AMOUNT_DUE = `case when i.status = 'void' then ${NOTHING} else ${DUE} end`;
