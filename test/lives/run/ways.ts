import { anAdvanceBy } from '../commands/customer-commands.ts';

/** Ways of the clock in stories. */

export const toTheEnd = anAdvanceBy({ hold_drafts: [false] }, 'end');
export const toTheHold = anAdvanceBy({ hold_drafts: [true] }, 'end');
export const onTheWay = anAdvanceBy({ hold_drafts: [false] }, 'part');
export const toAnEnd = anAdvanceBy({ hold_drafts: [false, false, true] }, 'end');
