import fc from 'fast-check';
import { aFeeChange } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { aMinimumSubscription, aSubscription, anAdvanceBy } from '../commands/customer-commands.ts';
import { aPresentAmount, aPresentDiscount } from '../commands/discount-commands.ts';
import { anEnd } from '../commands/end-commands.ts';
import { aCorrection, someLateUsage, somePresentUsage } from '../commands/event-commands.ts';
import { aSmallGrant } from '../commands/grant-commands.ts';
import { aCloseNow, aFinalize, aGeneration, aRegenerationOf, aVoidOf } from '../commands/invoice-commands.ts';
import { anItem } from '../commands/item-commands.ts';
import { aNewestThreshold, aThreshold } from '../commands/threshold-commands.ts';
import { maybe, story } from './story.ts';
import { onTheWay, toAnEnd, toTheEnd } from './ways.ts';

/** Stories of bills before the end (billing.md 15). */

/** Usage comes to the amount again and again, with credit, percents and late usage, and its parts are void and made again. */
const aStoryOfUsage = story(
  ...[maybe(aSubscription), maybe(aSmallGrant), maybe(aPresentDiscount), aNewestThreshold, aThreshold],
  ...[somePresentUsage, onTheWay, somePresentUsage, maybe(aCorrection), onTheWay, maybe(aVoidOf(0))],
  ...[somePresentUsage, onTheWay, maybe(aThreshold), maybe(aGeneration), toAnEnd, someLateUsage],
  ...[maybe(anItem), somePresentUsage, maybe(aFinalize), onTheWay, aVoidOf(0, 1, 2), aGeneration],
  ...[maybe(aCorrection), onTheWay, aRegenerationOf(0, 1, 2), toTheEnd],
);

/** Drafts are held, plans change, minimums are due and subscriptions end while usage comes to the amount. */
const aStoryOfPeriods = story(
  ...[aMinimumSubscription, aNewestThreshold, maybe(aThreshold), maybe(aPresentAmount), somePresentUsage],
  ...[onTheWay, maybe(aCloseNow), somePresentUsage, aFeeChange('now', 'ahead', 'past', 'start'), onTheWay],
  ...[somePresentUsage, anAdvanceBy({ hold_drafts: [true] }, 'end', 'past', 'part'), somePresentUsage],
  ...[anAdvanceBy({ hold_drafts: [true, false] }, 'part', 'two ends'), maybe(anItem), maybe(aFinalize)],
  ...[maybe(anEnd('ahead', 'past', 'billed', 'now')), somePresentUsage, onTheWay, toTheEnd],
);

export const aStoryOfThresholds: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfUsage, aStoryOfUsage, aStoryOfPeriods],
);
