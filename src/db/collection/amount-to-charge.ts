import { IS_PAUSED } from '../customers/collection-pauses.ts';
import { DUE } from '../invoicing/amount-due.ts';

/** SQL: what may be charged of the invoice `i` of `c` with the method `m`; null if nothing may be charged. */
export const AMOUNT_TO_CHARGE = `case
    when i.status = 'open' and m.status <> 'removed' and not ${IS_PAUSED} and ${DUE} > 0 then ${DUE} end`;
