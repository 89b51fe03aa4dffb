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
  aVoid,
  aVoidOf,
} from '../commands/invoice-commands.ts';
import { anItem, anItemDeletion } from '../commands/item-commands.ts';
import { HAS_CUSTOM_PLANS } from '../commands/custom-choices.ts';
import { HAS_GRANTS_OF_PLANS, HAS_PERIOD_LINES, HAS_THRESHOLDS } from '../commands/life.ts';
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
import { aStoryOfCollection, aStoryOfProviders } from './charge-stories.ts';
import { aStoryOfCustomPlans } from './custom-stories.ts';
import { aStoryOfDiscounts } from './discount-stories.ts';
import { aStoryOfMinimums } from './minimum-stories.ts';
import { aStoryOfClosedMonths } from './month-stories.ts';
import { aStoryOfQuantities } from './quantity-stories.ts';
import { maybe, story } from './story.ts';
import { aStoryOfThresholds } from './threshold-stories.ts';
import { onTheWay, toTheEnd, toTheHold } from './ways.ts';

/** Sequences that random commands would hardly ever produce; each run leaves out some of the steps. */

/** A period draws more credit than it needs after a correction, and a later line returns the surplus. */
const aReturn = [
  ...[aSmallGrant, maybe(aGrantCommand), somePresentUsage, toTheEnd],
  ...[aCorrection, maybe(somePresentUsage), toTheEnd],
];

/** The draw is voided, the returned credit is used, and the period is billed again; then more corrections follow. */
const aStoryOfDraws = story(
  ...[...aReturn, aVoidOf(1, 1, 2), maybe(aGrantVoid), maybe(somePresentUsage), maybe(toTheEnd)],
  ...[aGeneration, aCorrection, aRegenerationOf(0, 1, 2), toTheEnd],
);

/** The return is voided or regenerated, before or after its credit is used. */
const aStoryOfReturns = story(
  ...[...aReturn, maybe(aGrantVoid), maybe(aVoidOf(0, 0, 1)), somePresentUsage, toTheEnd],
  ...[aVoidOf(1, 1, 2), aRegenerationOf(1, 2, 3), aGeneration, toTheEnd],
);

/** A period is cut several times, and a part is voided and billed again. */
const aStoryOfParts = story(
  ...[aSmallGrant, somePresentUsage, onTheWay, aCloseNow, aCorrection, maybe(aVoidOf(0))],
  ...[somePresentUsage, onTheWay, aCloseNow, aVoidOf(0, 1), aCorrection, somePresentUsage],
  ...[toTheEnd, aGeneration, aCorrection, aRegeneration],
);

/** Usage and voids arrive while drafts are held. */
const aStoryOfHolds = story(
  ...[aSmallGrant, somePresentUsage, toTheEnd, aCorrection, somePresentUsage, toTheHold],
  ...[maybe(aVoid), aCorrection, maybe(aRegeneration), somePresentUsage, aFinalize, toTheEnd],
);

/** An invoice is credited and paid in part, some of both is undone, and the balance covers the next invoice. */
const aStoryOfMoney = story(
  ...[maybe(anAdjustment), somePresentUsage, toTheEnd, aPartPayment, maybe(aCreditNote), anAdjustment],
  ...[maybe(aVoidOf(0)), aCreditNote, maybe(aReversal), anApplication, maybe(aNoteVoid), maybe(aReversal)],
  ...[somePresentUsage, toTheEnd, aCreditNote, maybe(aRegeneration), maybe(aNoteVoid), anApplication],
);

/** Money in advance covers invoices, and the bank takes it back. */
const aStoryOfDeposits = story(
  ...[aDeposit, somePresentUsage, toTheEnd, maybe(aPartPayment), maybe(aDeposit)],
  ...[somePresentUsage, toTheEnd],
  ...[anApplication, maybe(aCreditNote), maybe(anAdjustment), aDepositReversal, maybe(anApplication)],
  ...[maybe(aNoteVoid), maybe(aReversal), maybe(aVoidOf(0, 1)), aDepositReversal],
);

/** A transfer pays several invoices, some of it is used, and the bank takes it back. */
const aStoryOfTransfers = story(
  ...[somePresentUsage, toTheEnd, maybe(aPartPayment), somePresentUsage, toTheEnd, aTransfer],
  ...[maybe(aReversal), maybe(aDepositReversal), maybe(aPayout), somePresentUsage, toTheEnd, aTransfer],
  ...[maybe(aCreditNote), aTransferReversal, maybe(aVoidOf(0, 1)), aTransferReversal, maybe(aTransfer)],
);

/** Usage that was billed too high is credited on the old invoices, and either of both invoices is voided or made again. */
const aStoryOfTooMuch = story(
  ...[somePresentUsage, maybe(aGrantCommand), toTheEnd, aPayment, maybe(aCreditNote), aCorrection],
  ...[
    someLateUsage,
    maybe(somePresentUsage),
    maybe(anItem),
    anAdvanceBy({ hold_drafts: [false, true] }, 'end'),
  ],
  ...[maybe(aCorrection), maybe(aRegenerationOf(1)), maybe(aFinalize), maybe(aPayout), maybe(aNoteVoid)],
  ...[maybe(aCreditNote), aRegenerationOf(0, 1), maybe(aCorrection), somePresentUsage, toTheEnd],
  ...[maybe(aPayout), aVoidOf(0, 1, 2), maybe(aReversal), aGeneration, aCorrection, toTheEnd],
);

/** Usage is corrected while most of what was billed is open, so that notes take off what is due. */
const aStoryOfOpenCorrections = story(
  ...[somePresentUsage, toTheEnd, someLateUsage, maybe(aPartPayment), toTheEnd, aCorrection, aCorrection],
  ...[maybe(aCreditNote), maybe(aGrantCommand), toTheEnd, maybe(aNoteVoid), aVoidOf(0, 1, 2)],
  ...[maybe(aPartPayment), aGeneration, maybe(aCorrection), toTheEnd, aRegenerationOf(0, 1, 2)],
);

/** Items are billed, wait, join a draft, leave it, and return with a void. */
const aStoryOfItems = story(
  ...[anItem, maybe(anItem), somePresentUsage, maybe(aGrantCommand), toTheEnd, anItem, aCorrection],
  ...[toTheHold, anItem, maybe(somePresentUsage), anItem, maybe(anItemDeletion), maybe(aFinalize)],
  ...[aRegeneration, aVoidOf(0, 1), maybe(anItem), aGeneration, maybe(aCreditNote), toTheEnd],
);

const toTheLast = anAdvanceBy({ hold_drafts: [false, false, true] }, 'late');

/** Subscriptions end, some before they bill anything, and their items are billed, move or stay. */
const aStoryOfEnds = story(
  ...[aTrial, anItem, maybe(onTheWay), anItem, maybe(anItemDeletion), aCancel, maybe(anItem)],
  ...[maybe(aCancel), maybe(toTheEnd), anItem, toTheLast, maybe(anItem), maybe(aFinalize)],
  ...[aVoidOf(0, 1), maybe(anItemDeletion), aGeneration, toTheLast, maybe(anItem)],
);

/** The plan changes and changes again, and what was billed by the old one is corrected, voided and billed once more. */
export const aStoryOfChanges = story(
  ...[maybe(aTrial), maybe(aGrantCommand), aSmallGrant, somePresentUsage, onTheWay, maybe(aCloseNow)],
  ...[aChange, maybe(aGrantCommand), somePresentUsage, aCorrection, maybe(onTheWay), maybe(aChange)],
  ...[toTheEnd, maybe(aVoidOf(0, 1, 2)), somePresentUsage, aCorrection, maybe(aCancel), aChange],
  ...[maybe(onTheWay), aGeneration, aRegeneration, maybe(aChange), toTheEnd],
);

/** Fees in advance end early or run on, and their invoices are paid, credited, voided and made again. */
const aStoryOfFees = story(
  ...[maybe(aFeeSubscription), maybe(anItem), maybe(toTheEnd), onTheWay, maybe(aDeposit), toTheEnd],
  ...[aPayment, somePresentUsage, aFeeChange('ahead', 'ahead', 'past', 'now', 'later period')],
  ...[maybe(aCreditNote), maybe(aCorrection), maybe(onTheWay), maybe(aTakeBack), toTheEnd],
  ...[maybe(aPayout), maybe(aNoteVoid), aVoidOf(0, 1, 2), maybe(aRegenerationOf(0, 1, 2)), aGeneration],
  ...[maybe(somePresentUsage), maybe(aCloseNow), onTheWay, maybe(aCancel), maybe(aReversal), toTheEnd],
  ...[aRegenerationOf(0, 1, 2)],
);

/** People credit invoices of fees before these end early, and void their notes later. */
const aStoryOfOwedFees = story(
  ...[aFeeSubscription, maybe(anItem), maybe(toTheEnd), maybe(somePresentUsage), onTheWay],
  ...[maybe(aPayment), aPayment, aNoteOf(0, 0, 1), maybe(aNoteOf(0, 1)), maybe(aPayout)],
  ...[maybe(aFeeChange('ahead', 'now', 'past', 'start')), maybe(anEnd('now', 'ahead', 'past', 'start'))],
  ...[maybe(toTheEnd), maybe(aCorrection), maybe(aNoteVoidOf(0)), maybe(aNoteOf(0, 1)), toTheEnd],
  ...[aNoteVoidOf(0, 0, 1), maybe(aReversal), aNoteVoidOf(0, 1), maybe(aVoidOf(0, 1)), toTheEnd],
  ...[maybe(aNoteVoidOf(0)), aRegenerationOf(0, 1, 2), maybe(aGeneration), maybe(aNoteVoidOf(0))],
);

/** An end is set, moved and withdrawn while it is to come, and set in the past; fees, credit and changes of plan are around it. */
export const aStoryOfMovedEnds = story(
  ...[maybe(aFeeSubscription), maybe(aGrantCommand), maybe(anItem), somePresentUsage, maybe(toTheEnd)],
  ...[maybe(aFeeChange('ahead', 'later period')), anEnd('ahead', 'later period', 'period_end')],
  ...[
    maybe(onTheWay),
    maybe(aGrantCommand),
    maybe(toTheEnd),
    maybe(aCloseNow),
    maybe(aFeeChange('ahead', 'now')),
  ],
  ...[anEnd('ahead', 'later period', 'period_end', 'past'), somePresentUsage, maybe(anEndTakenBack)],
  ...[maybe(aPayment), maybe(toTheEnd), onTheWay, maybe(onTheWay), anEnd('past', 'past', 'start', 'now')],
  ...[maybe(someLateUsage), maybe(anItem), aVoidOf(0, 1, 2), aGeneration, toTheEnd, aRegenerationOf(0, 1)],
);

/** A subscription is ended in a period that is billed; fees, credit, cuts, held drafts and changes of plan lie after the end. */
const aStoryOfBilledEnds = story(
  ...[maybe(aFeeSubscription), maybe(aGrantedSubscription), maybe(aGrantCommand), maybe(toTheEnd)],
  ...[somePresentUsage, maybe(onTheWay), maybe(aCloseNow), maybe(aFeeChange('ahead', 'now')), toTheEnd],
  ...[maybe(aPayment), maybe(anItem), somePresentUsage, maybe(aNoteOf(0, 1)), maybe(someLateUsage)],
  ...[maybe(anAdvanceBy({ hold_drafts: [false, true, true] }, 'end')), maybe(anItem), maybe(onTheWay)],
  ...[maybe(aVoidOf(0, 1)), anEnd('billed', 'billed', 'billed', 'before'), maybe(someLateUsage)],
  ...[maybe(aCorrection), maybe(aNoteVoidOf(0, 1)), maybe(aFinalize), maybe(aRegenerationOf(0, 1, 2))],
  ...[toTheLast, maybe(anItem), maybe(aVoidOf(0, 1, 2)), aGeneration, aRegenerationOf(0, 1, 2), toTheLast],
);

/** A trial moves while an end and a change of plan are scheduled, and billing begins. */
export const aStoryOfTrials = story(
  ...[aTrial, maybe(aGrantCommand), maybe(anItem), maybe(aFeeChange('ahead', 'later period'))],
  ...[maybe(anEnd('ahead', 'later period', 'period_end')), aTrialEnd, maybe(onTheWay)],
  ...[maybe(somePresentUsage), maybe(anEndTakenBack), aTrialEnd, maybe(aFeeChange('ahead', 'now'))],
  ...[maybe(aGrantCommand), onTheWay, aTrialEnd, maybe(onTheWay), aTrialEnd, somePresentUsage, toTheEnd],
  ...[maybe(anItem), toTheEnd, aVoidOf(0, 1), aGeneration],
);

/** The plan is exchanged at the start of a period, once its fees are billed or while their home is held, and again. */
const aStoryOfExchanges = story(
  ...[aFeeSubscription, maybe(toTheEnd), anAdvanceBy({ hold_drafts: [false, false, true] }, 'end')],
  ...[maybe(aPayment), maybe(aVoidOf(0, 1)), maybe(aCloseNow), aFeeChange('start', 'start', 'now')],
  ...[maybe(anItem), aFeeChange('start'), maybe(aFinalize), maybe(aCancel), somePresentUsage],
  ...[maybe(aVoidOf(0, 1)), toTheEnd, maybe(aGeneration), maybe(aPayout), aRegenerationOf(0, 1, 2)],
  ...[maybe(aPartPayment), aVoidOf(0, 1, 2), aGeneration, maybe(aCancel), toTheEnd],
);

/** Fees pass from plan to plan, at one instant too, grants have their shares or end with a change, and an end comes. */
const aStoryOfPassing = story(
  ...[aFeeSubscription, maybe(aGrantedSubscription), maybe(toTheEnd), aPayment, somePresentUsage],
  ...[onTheWay, aFeeChange('now', 'ahead', 'past'), maybe(aTakeBack), maybe(onTheWay)],
  ...[aFeeChange('start', 'now', 'ahead', 'past'), maybe(somePresentUsage), maybe(anEnd('ahead', 'now'))],
  ...[
    maybe(aNoteOf(0, 1)),
    maybe(aFeeChange('ahead')),
    anAdvanceBy({ hold_drafts: [false, false, true] }, 'end'),
  ],
  ...[maybe(aFeeChange('start')), maybe(someLateUsage), maybe(aFinalize), maybe(anEndTakenBack)],
  ...[maybe(aFeeChange('now', 'ahead')), maybe(aVoidOf(0, 1, 2)), maybe(aNoteVoidOf(0)), onTheWay],
  ...[maybe(anEnd('now', 'past', 'start')), toTheEnd, aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

/** Credit of a plan is used, carried over and used again, while periods end early, plans are exchanged, and invoices are made again. */
const aStoryOfCarryOver = story(
  ...[aGrantedSubscription, maybe(aGrantCommand), somePresentUsage, maybe(onTheWay), maybe(aChange)],
  ...[anAdvanceBy({ hold_drafts: [false, false, true] }, 'end'), maybe(someLateUsage), somePresentUsage],
  ...[maybe(aCloseNow), maybe(aGrantVoid), maybe(aFeeChange('start', 'now', 'ahead')), maybe(aFinalize)],
  ...[maybe(anEnd('ahead', 'past', 'start')), somePresentUsage, toTheEnd, aCorrection, maybe(someLateUsage)],
  ...[
    maybe(anEndTakenBack),
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
  ...(HAS_CUSTOM_PLANS ? [aStoryOfCustomPlans] : []),
  ...(HAS_PERIOD_LINES ? [aStoryOfMinimums, aStoryOfMinimums] : []),
  ...(HAS_THRESHOLDS ? [aStoryOfThresholds] : []),
  ...[aStoryOfQuantities, aStoryOfQuantities],
  ...[aStoryOfProviders, aStoryOfProviders],
  ...[aStoryOfBilledEnds, aStoryOfBilledEnds, aStoryOfBilledEnds],
);

/** Stories of one kind that a run may have many of. */
export const FOCUSES = {
  changes: fc.oneof(aStoryOfChanges, aStoryOfPassing),
  discounts: aStoryOfDiscounts,
  minimums: aStoryOfMinimums,
  custom: aStoryOfCustomPlans,
  quantities: aStoryOfQuantities,
  thresholds: aStoryOfThresholds,
  credit: fc.oneof(aStoryOfDraws, aStoryOfReturns, aStoryOfCarryOver, aStoryOfHolds),
  ends: aStoryOfBilledEnds,
  notes: aStoryOfOwedFees,
  months: aStoryOfClosedMonths,
  charges: aStoryOfCollection,
};
