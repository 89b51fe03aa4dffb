import { DUE } from '../invoicing/amount-due.ts';

/** SQL: whether the collection of a row, an invoice or a customer, is paused; a pause ends with its last day. */
const pauseOf = (row: string) =>
  `${row}.collection_pause is not null and coalesce((${row}.collection_pause ->> 'until')::date
     >= (coalesce(c.test_clock, now()) at time zone coalesce(c.timezone, n.timezone))::date, true)`;

/** SQL: collection of the invoice `i`, of the customer `c` in the environment `n`, is paused. */
export const IS_PAUSED = `(${pauseOf('i')} or ${pauseOf('c')})`;

/** SQL: what may be charged of the invoice `i` with the method `m`; null if nothing may be charged. */
export const AMOUNT_TO_CHARGE = `case
    when i.status = 'open' and m.status <> 'removed' and not ${IS_PAUSED} and ${DUE} > 0 then ${DUE} end`;
