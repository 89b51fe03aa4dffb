import fc from 'fast-check';
import { aMinimumChange, aTakeBack } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { aMinimumSubscription } from '../commands/customer-commands.ts';
import { aDiscount, aDiscountEnd, anAmount, aPresentAmount } from '../commands/discount-commands.ts';
import { anEnd, anEndTakenBack } from '../commands/end-commands.ts';
import { aCorrection, someLateUsage, somePresentUsage } from '../commands/event-commands.ts';
import { aSmallGrant } from '../commands/grant-commands.ts';
import {
  aCloseNow,
  aFinalize,
  aGeneration,
  aPayment,
  aRegenerationOf,
  aRehearsal,
  aVoidOf,
} from '../commands/invoice-commands.ts';
import { anItem } from '../commands/item-commands.ts';
import { aNoteOf, aNoteVoidOf } from '../commands/note-commands.ts';
import { maybe, story } from './story.ts';
import { onTheWay, toAnEnd, toTheEnd, toTheHold } from './ways.ts';

/** Stories of period lines (billing.md 13): discounts of an amount, and minimums. */

/** Usage comes late and is corrected, items take what is left, and invoices are void and made again. */
const aStoryOfUsage = story(
  ...[maybe(aMinimumSubscription), maybe(aSmallGrant), maybe(aPresentAmount), somePresentUsage],
  ...[maybe(anAmount), toAnEnd, maybe(aPayment), maybe(aDiscountEnd), someLateUsage, aCorrection],
  ...[maybe(anItem), maybe(aRehearsal), maybe(aFinalize), maybe(somePresentUsage), toTheEnd],
  ...[maybe(aDiscount), maybe(aCorrection), aVoidOf(0, 1, 2), maybe(someLateUsage), maybe(anItem)],
  ...[maybe(toTheEnd), aGeneration, aRegenerationOf(0, 1, 2), maybe(aCorrection), toTheEnd],
);

/** A period is cut before an amount is made and after, at its very end too, and parts are void and billed again. */
const aStoryOfCuts = story(
  ...[maybe(aMinimumSubscription), maybe(aPresentAmount), somePresentUsage, onTheWay, aCloseNow],
  ...[maybe(aPresentAmount), maybe(aMinimumChange('start', 'now')), maybe(aVoidOf(0)), somePresentUsage],
  ...[onTheWay, maybe(aCloseNow), maybe(anEnd('start', 'now', 'ahead')), maybe(aCorrection), toTheEnd],
  ...[aVoidOf(0, 1), maybe(aDiscountEnd), maybe(someLateUsage), aGeneration, toTheEnd],
  ...[maybe(aRegenerationOf(0, 1)), toTheEnd],
);

/** Periods end early or are exchanged, fees are credited, and discounts go along with their notes. */
const aStoryOfShortPeriods = story(
  ...[aMinimumSubscription, aPresentAmount, maybe(anAmount), maybe(somePresentUsage), maybe(toAnEnd)],
  ...[maybe(aPayment), maybe(onTheWay), aMinimumChange('ahead', 'past', 'now', 'start')],
  ...[maybe(aTakeBack), maybe(anEnd('ahead', 'later period')), maybe(aNoteOf(0, 1)), toAnEnd],
  ...[maybe(anEndTakenBack), maybe(aFinalize), maybe(somePresentUsage), maybe(aNoteVoidOf(0))],
  ...[aVoidOf(0, 1, 2), maybe(anEnd('now', 'past', 'start')), maybe(aCorrection), toTheEnd],
  ...[aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

/** A subscription is ended in a period that was billed with period lines. */
const aStoryOfEnds = story(
  ...[maybe(aMinimumSubscription), aPresentAmount, somePresentUsage, maybe(aCloseNow), toAnEnd],
  ...[maybe(aPayment), somePresentUsage, maybe(aDiscountEnd), maybe(toTheEnd), maybe(toTheHold)],
  ...[maybe(aNoteOf(0, 1)), maybe(aVoidOf(0, 1)), anEnd('billed', 'billed', 'past', 'start')],
  ...[maybe(someLateUsage), maybe(aNoteVoidOf(0)), maybe(aCorrection), toTheEnd, aVoidOf(0, 1, 2)],
  ...[aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

export const aStoryOfMinimums: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfUsage, aStoryOfUsage, aStoryOfCuts, aStoryOfShortPeriods, aStoryOfEnds],
);
