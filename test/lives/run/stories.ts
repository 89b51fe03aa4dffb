import fc from 'fast-check';
import { aChange, aFeeChange, aTakeBack } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import {
  aFeeSubscription,
  aGrantedSubscription,
  anAdvanceBy,
  aTrial,
} from '../commands/customer-commands.ts';
import { aCancel, anEnd, anEndTakenBack } from '../commands/end-commands.ts';
import { aCorrection, someLateUsage, somePresentUsage } from '../commands/event-commands.ts';
import { aGrantCommand, aGrantVoid, aSmallGrant } from '../commands/grant-commands.ts';
import {
  aCloseNow,
  aFinalize,
  aGeneration,
  aPayment,
  aRegeneration,
  aRegenerationOf,
  aRehearsal,
  aVoid,
  aVoidOf,
} from '../commands/invoice-commands.ts';
import { anItem, anItemDeletion } from '../commands/item-commands.ts';
import { HAS_GRANTS_OF_PLANS } from '../commands/life.ts';
import { aCloseOfNewest, aMonthOpening } from '../commands/month-commands.ts';
import { aCreditNote, aNoteOf, aNoteVoid, aNoteVoidOf } from '../commands/note-commands.ts';
import {
  aDeposit,
  aDepositReversal,
  anAdjustment,
  anApplication,
  aPartPayment,
  aPayout,
  aReversal,
} from '../commands/owed-commands.ts';
import { aTransfer, aTransferReversal } from '../commands/transfer-commands.ts';
import { aTrialEnd } from '../commands/trial-commands.ts';
import { aStoryOfDiscounts } from './discount-stories.ts';
import { rarely, story } from './story.ts';
import { onTheWay, toTheEnd, toTheHold } from './ways.ts';

/** Sequences that random commands would hardly ever produce; each run leaves out some of the steps. */

/** A period draws more credit than it needs after a correction, and a later line returns the surplus. */
const aReturn = [
  ...[aSmallGrant, rarely(aGrantCommand), somePresentUsage, toTheEnd],
  ...[aCorrection, rarely(somePresentUsage), toTheEnd],
];

/** The draw is voided, the returned credit is used, and the period is billed again; then more corrections follow. */
const aStoryOfDraws = story(
  ...[...aReturn, aVoidOf(1, 1, 2), rarely(aGrantVoid), rarely(somePresentUsage), rarely(toTheEnd)],
  ...[aGeneration, aCorrection, aRegenerationOf(0, 1, 2), toTheEnd],
);

/** The return is voided or regenerated, before or after its credit is used. */
const aStoryOfReturns = story(
  ...[...aReturn, rarely(aGrantVoid), rarely(aVoidOf(0, 0, 1)), somePresentUsage, toTheEnd],
  ...[aVoidOf(1, 1, 2), aRegenerationOf(1, 2, 3), aGeneration, toTheEnd],
);

/** A period is cut several times, and a part is voided and billed again. */
const aStoryOfParts = story(
  ...[aSmallGrant, somePresentUsage, onTheWay, aCloseNow, aCorrection, rarely(aVoidOf(0))],
  ...[somePresentUsage, onTheWay, aCloseNow, aVoidOf(0, 1), aCorrection, somePresentUsage],
  ...[toTheEnd, aGeneration, aCorrection, aRegeneration],
);

/** Usage and voids arrive while drafts are held. */
const aStoryOfHolds = story(
  ...[aSmallGrant, somePresentUsage, toTheEnd, aCorrection, somePresentUsage, toTheHold],
  ...[rarely(aVoid), aCorrection, rarely(aRegeneration), somePresentUsage, aFinalize, toTheEnd],
);

/** An invoice is credited and paid in part, some of both is undone, and the balance covers the next invoice. */
const aStoryOfMoney = story(
  ...[rarely(anAdjustment), somePresentUsage, toTheEnd, aPartPayment, rarely(aCreditNote), anAdjustment],
  ...[
    rarely(aVoidOf(0)),
    aCreditNote,
    rarely(aReversal),
    anApplication,
    rarely(aNoteVoid),
    rarely(aReversal),
  ],
  ...[somePresentUsage, toTheEnd, aCreditNote, rarely(aRegeneration), rarely(aNoteVoid), anApplication],
);

/** Money in advance covers invoices, and the bank takes it back. */
const aStoryOfDeposits = story(
  ...[aDeposit, somePresentUsage, toTheEnd, rarely(aPartPayment), rarely(aDeposit)],
  ...[somePresentUsage, toTheEnd],
  ...[anApplication, rarely(aCreditNote), rarely(anAdjustment), aDepositReversal, rarely(anApplication)],
  ...[rarely(aNoteVoid), rarely(aReversal), rarely(aVoidOf(0, 1)), aDepositReversal],
);

/** A transfer pays several invoices, some of it is used, and the bank takes it back. */
const aStoryOfTransfers = story(
  ...[somePresentUsage, toTheEnd, rarely(aPartPayment), somePresentUsage, toTheEnd, aTransfer],
  ...[rarely(aReversal), rarely(aDepositReversal), rarely(aPayout), somePresentUsage, toTheEnd, aTransfer],
  ...[rarely(aCreditNote), aTransferReversal, rarely(aVoidOf(0, 1)), aTransferReversal, rarely(aTransfer)],
);

/** Usage that was billed too high is credited on the old invoices, and either of both invoices is voided or made again. */
const aStoryOfTooMuch = story(
  ...[somePresentUsage, rarely(aGrantCommand), toTheEnd, aPayment, rarely(aCreditNote), aCorrection],
  ...[
    someLateUsage,
    rarely(somePresentUsage),
    rarely(anItem),
    anAdvanceBy({ hold_drafts: [false, true] }, 'end'),
  ],
  ...[rarely(aCorrection), rarely(aRegenerationOf(1)), rarely(aFinalize), rarely(aPayout), rarely(aNoteVoid)],
  ...[rarely(aCreditNote), aRegenerationOf(0, 1), rarely(aCorrection), somePresentUsage, toTheEnd],
  ...[rarely(aPayout), aVoidOf(0, 1, 2), rarely(aReversal), aGeneration, aCorrection, toTheEnd],
);

/** Usage is corrected while most of what was billed is open, so that notes take off what is due. */
const aStoryOfOpenCorrections = story(
  ...[somePresentUsage, toTheEnd, someLateUsage, rarely(aPartPayment), toTheEnd, aCorrection, aCorrection],
  ...[rarely(aCreditNote), rarely(aGrantCommand), toTheEnd, rarely(aNoteVoid), aVoidOf(0, 1, 2)],
  ...[rarely(aPartPayment), aGeneration, rarely(aCorrection), toTheEnd, aRegenerationOf(0, 1, 2)],
);

/** Items are billed, wait, join a draft, leave it, and return with a void. */
const aStoryOfItems = story(
  ...[anItem, rarely(anItem), somePresentUsage, rarely(aGrantCommand), toTheEnd, anItem, aCorrection],
  ...[toTheHold, anItem, rarely(somePresentUsage), anItem, rarely(anItemDeletion), rarely(aFinalize)],
  ...[aRegeneration, aVoidOf(0, 1), rarely(anItem), aGeneration, rarely(aCreditNote), toTheEnd],
);

const toTheLast = anAdvanceBy({ hold_drafts: [false, false, true] }, 'late');

/** Subscriptions end, some before they bill anything, and their items are billed, move or stay. */
const aStoryOfEnds = story(
  ...[aTrial, anItem, rarely(onTheWay), anItem, rarely(anItemDeletion), aCancel, rarely(anItem)],
  ...[rarely(aCancel), rarely(toTheEnd), anItem, toTheLast, rarely(anItem), rarely(aFinalize)],
  ...[aVoidOf(0, 1), rarely(anItemDeletion), aGeneration, toTheLast, rarely(anItem)],
);

/** The plan changes and changes again, and what was billed by the old one is corrected, voided and billed once more. */
export const aStoryOfChanges = story(
  ...[rarely(aTrial), rarely(aGrantCommand), aSmallGrant, somePresentUsage, onTheWay, rarely(aCloseNow)],
  ...[aChange, rarely(aGrantCommand), somePresentUsage, aCorrection, rarely(onTheWay), rarely(aChange)],
  ...[toTheEnd, rarely(aVoidOf(0, 1, 2)), somePresentUsage, aCorrection, rarely(aCancel), aChange],
  ...[rarely(onTheWay), aGeneration, aRegeneration, rarely(aChange), toTheEnd],
);

/** Fees in advance end early or run on, and their invoices are paid, credited, voided and made again. */
const aStoryOfFees = story(
  ...[rarely(aFeeSubscription), rarely(anItem), rarely(toTheEnd), onTheWay, rarely(aDeposit), toTheEnd],
  ...[aPayment, somePresentUsage, aFeeChange('ahead', 'ahead', 'past', 'now', 'later period')],
  ...[rarely(aCreditNote), rarely(aCorrection), rarely(onTheWay), rarely(aTakeBack), toTheEnd],
  ...[rarely(aPayout), rarely(aNoteVoid), aVoidOf(0, 1, 2), rarely(aRegenerationOf(0, 1, 2)), aGeneration],
  ...[rarely(somePresentUsage), rarely(aCloseNow), onTheWay, rarely(aCancel), rarely(aReversal), toTheEnd],
  ...[aRegenerationOf(0, 1, 2)],
);

/** People credit invoices of fees before these end early, and void their notes later. */
const aStoryOfOwedFees = story(
  ...[aFeeSubscription, rarely(anItem), rarely(toTheEnd), rarely(somePresentUsage), onTheWay],
  ...[rarely(aPayment), aPayment, aNoteOf(0, 0, 1), rarely(aNoteOf(0, 1)), rarely(aPayout)],
  ...[rarely(aFeeChange('ahead', 'now', 'past', 'start')), rarely(anEnd('now', 'ahead', 'past', 'start'))],
  ...[rarely(toTheEnd), rarely(aCorrection), rarely(aNoteVoidOf(0)), rarely(aNoteOf(0, 1)), toTheEnd],
  ...[aNoteVoidOf(0, 0, 1), rarely(aReversal), aNoteVoidOf(0, 1), rarely(aVoidOf(0, 1)), toTheEnd],
  ...[rarely(aNoteVoidOf(0)), aRegenerationOf(0, 1, 2), rarely(aGeneration), rarely(aNoteVoidOf(0))],
);

/** An end is set, moved and withdrawn while it is to come, and set in the past; fees, credit and changes of plan are around it. */
export const aStoryOfMovedEnds = story(
  ...[rarely(aFeeSubscription), rarely(aGrantCommand), rarely(anItem), somePresentUsage, rarely(toTheEnd)],
  ...[rarely(aFeeChange('ahead', 'later period')), anEnd('ahead', 'later period', 'period_end')],
  ...[
    rarely(onTheWay),
    rarely(aGrantCommand),
    rarely(toTheEnd),
    rarely(aCloseNow),
    rarely(aFeeChange('ahead', 'now')),
  ],
  ...[anEnd('ahead', 'later period', 'period_end', 'past'), somePresentUsage, rarely(anEndTakenBack)],
  ...[rarely(aPayment), rarely(toTheEnd), onTheWay, rarely(onTheWay), anEnd('past', 'past', 'start', 'now')],
  ...[rarely(someLateUsage), rarely(anItem), aVoidOf(0, 1, 2), aGeneration, toTheEnd, aRegenerationOf(0, 1)],
);

/** A subscription is ended in a period that is billed; fees, credit, cuts, held drafts and changes of plan lie after the end. */
const aStoryOfBilledEnds = story(
  ...[rarely(aFeeSubscription), rarely(aGrantedSubscription), rarely(aGrantCommand), rarely(toTheEnd)],
  ...[somePresentUsage, rarely(onTheWay), rarely(aCloseNow), rarely(aFeeChange('ahead', 'now')), toTheEnd],
  ...[rarely(aPayment), rarely(anItem), somePresentUsage, rarely(aNoteOf(0, 1)), rarely(someLateUsage)],
  ...[rarely(anAdvanceBy({ hold_drafts: [false, true, true] }, 'end')), rarely(anItem), rarely(onTheWay)],
  ...[rarely(aVoidOf(0, 1)), anEnd('billed', 'billed', 'billed', 'before'), rarely(someLateUsage)],
  ...[rarely(aCorrection), rarely(aNoteVoidOf(0, 1)), rarely(aFinalize), rarely(aRegenerationOf(0, 1, 2))],
  ...[toTheLast, rarely(anItem), rarely(aVoidOf(0, 1, 2)), aGeneration, aRegenerationOf(0, 1, 2), toTheLast],
);

/** A trial moves while an end and a change of plan are scheduled, and billing begins. */
export const aStoryOfTrials = story(
  ...[aTrial, rarely(aGrantCommand), rarely(anItem), rarely(aFeeChange('ahead', 'later period'))],
  ...[rarely(anEnd('ahead', 'later period', 'period_end')), aTrialEnd, rarely(onTheWay)],
  ...[rarely(somePresentUsage), rarely(anEndTakenBack), aTrialEnd, rarely(aFeeChange('ahead', 'now'))],
  ...[rarely(aGrantCommand), onTheWay, aTrialEnd, rarely(onTheWay), aTrialEnd, somePresentUsage, toTheEnd],
  ...[rarely(anItem), toTheEnd, aVoidOf(0, 1), aGeneration],
);

/** The plan is exchanged at the start of a period, once its fees are billed or while their home is held, and again. */
const aStoryOfExchanges = story(
  ...[aFeeSubscription, rarely(toTheEnd), anAdvanceBy({ hold_drafts: [false, false, true] }, 'end')],
  ...[rarely(aPayment), rarely(aVoidOf(0, 1)), rarely(aCloseNow), aFeeChange('start', 'start', 'now')],
  ...[rarely(anItem), aFeeChange('start'), rarely(aFinalize), rarely(aCancel), somePresentUsage],
  ...[rarely(aVoidOf(0, 1)), toTheEnd, rarely(aGeneration), rarely(aPayout), aRegenerationOf(0, 1, 2)],
  ...[rarely(aPartPayment), aVoidOf(0, 1, 2), aGeneration, rarely(aCancel), toTheEnd],
);

/** Fees pass from plan to plan, at one instant too, grants have their shares or end with a change, and an end comes. */
const aStoryOfPassing = story(
  ...[aFeeSubscription, rarely(aGrantedSubscription), rarely(toTheEnd), aPayment, somePresentUsage],
  ...[onTheWay, aFeeChange('now', 'ahead', 'past'), rarely(aTakeBack), rarely(onTheWay)],
  ...[aFeeChange('start', 'now', 'ahead', 'past'), rarely(somePresentUsage), rarely(anEnd('ahead', 'now'))],
  ...[
    rarely(aNoteOf(0, 1)),
    rarely(aFeeChange('ahead')),
    anAdvanceBy({ hold_drafts: [false, false, true] }, 'end'),
  ],
  ...[rarely(aFeeChange('start')), rarely(someLateUsage), rarely(aFinalize), rarely(anEndTakenBack)],
  ...[rarely(aFeeChange('now', 'ahead')), rarely(aVoidOf(0, 1, 2)), rarely(aNoteVoidOf(0)), onTheWay],
  ...[rarely(anEnd('now', 'past', 'start')), toTheEnd, aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

/** Credit of a plan is used, carried over and used again, while periods end early, plans are exchanged, and invoices are made again. */
const aStoryOfCarryOver = story(
  ...[aGrantedSubscription, rarely(aGrantCommand), somePresentUsage, rarely(onTheWay), rarely(aChange)],
  ...[anAdvanceBy({ hold_drafts: [false, false, true] }, 'end'), rarely(someLateUsage), somePresentUsage],
  ...[rarely(aCloseNow), rarely(aGrantVoid), rarely(aFeeChange('start', 'now', 'ahead')), rarely(aFinalize)],
  ...[
    rarely(anEnd('ahead', 'past', 'start')),
    somePresentUsage,
    toTheEnd,
    aCorrection,
    rarely(someLateUsage),
  ],
  ...[
    rarely(anEndTakenBack),
    aVoidOf(0, 1),
    somePresentUsage,
    toTheEnd,
    aGeneration,
    aRegenerationOf(0, 1, 2),
  ],
);

export const aStory: fc.Arbitrary<Command> = fc.oneof(
  aStoryOfDraws,
  aStoryOfReturns,
  aStoryOfParts,
  aStoryOfHolds,
  aStoryOfMoney,
  aStoryOfDeposits,
  aStoryOfTransfers,
  aStoryOfTooMuch,
  aStoryOfTooMuch,
  aStoryOfOpenCorrections,
  aStoryOfFees,
  aStoryOfFees,
  aStoryOfExchanges,
  ...[aStoryOfPassing, aStoryOfPassing, aStoryOfPassing],
  ...[aStoryOfOwedFees, aStoryOfOwedFees],
  ...(HAS_GRANTS_OF_PLANS ? [aStoryOfCarryOver, aStoryOfCarryOver] : []),
  aStoryOfItems,
  aStoryOfEnds,
  ...[aStoryOfDiscounts, aStoryOfDiscounts],
  ...[aStoryOfBilledEnds, aStoryOfBilledEnds, aStoryOfBilledEnds],
);

/** A month is closed; what corrects its documents is refused or let through, until it is opened again. */
const aStoryOfClosedMonths = story(
  ...[somePresentUsage, toTheEnd, rarely(aNoteOf(0, 1)), rarely(aCreditNote), onTheWay, aCloseOfNewest],
  ...[
    someLateUsage,
    aVoidOf(0, 0, 1),
    aRegenerationOf(0, 1),
    aRehearsal,
    rarely(aNoteVoid),
    aCreditNote,
    aPartPayment,
  ],
  ...[aReversal, aCorrection, toTheEnd, rarely(aMonthOpening), aVoidOf(0, 1, 2), aGeneration],
);

/** Stories of one kind that a run may have many of. */
export const FOCUSES = {
  changes: fc.oneof(aStoryOfChanges, aStoryOfPassing),
  discounts: aStoryOfDiscounts,
  credit: fc.oneof(aStoryOfDraws, aStoryOfReturns, aStoryOfCarryOver, aStoryOfHolds),
  ends: aStoryOfBilledEnds,
  notes: aStoryOfOwedFees,
  months: aStoryOfClosedMonths,
};
