import type { ItemToBill } from '../lines/invoice-item.ts';
import type { Discounting } from '../pricing/discount.ts';
import type { Scope } from '../lines/scope.ts';
import type { StoredPeriod } from '../subscription/following-period.ts';
import type { Subscription } from '../subscription/subscription.ts';
import type { CountedUsage, Credit } from '../usage/counted.ts';
import type { Counting } from '../usage/counting.ts';
import type { BilledInvoice } from './automatic-note.ts';
import type { Billed, Work } from './close-request.ts';
import type { FeesOfClose } from './fee.ts';
import type { PeriodTerms } from './period-lines.ts';

/** All that decides what one close writes. */
export type CloseContext = Scope &
  Billed & {
    period: StoredPeriod;
    subscription: Subscription;
    work: Work;
    fees: FeesOfClose;
    /** The full periods of which the invoice may have period lines. */
    periods: readonly PeriodTerms[];
    items: readonly ItemToBill[];
    credit: Credit;
    discounting: Discounting;
    /** Counted anew; empty if the draft's count stands. */
    countings: readonly Counting[];
    /** The usage that was asked for, by `chargePeriodKey`. */
    usage: ReadonlyMap<string, CountedUsage>;
    /** The invoices that bill the late periods, for a close with corrections; null until one is found to have some. */
    billed: readonly BilledInvoice[] | null;
  };
