import fc from 'fast-check';
import { aFeeChange, aTakeBack } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { aFeeSubscription } from '../commands/customer-commands.ts';
import { aDiscount, aDiscountEnd, aPresentDiscount } from '../commands/discount-commands.ts';
import { anEnd } from '../commands/end-commands.ts';
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
import { onTheWay, toAnEnd, toTheEnd } from './ways.ts';

/** Stories of discounts (billing.md 11). */

/** Usage is billed with percents, comes late and is corrected, and its invoices are void and made again once the discount has ended. */
const aStoryOfUsage = story(
  ...[maybe(aSmallGrant), aPresentDiscount, somePresentUsage, maybe(aDiscount), maybe(aDiscountEnd)],
  ...[toAnEnd, maybe(aPayment), maybe(aDiscount), maybe(aDiscountEnd), someLateUsage, aCorrection],
  ...[maybe(anItem), maybe(aRehearsal), maybe(aFinalize), toTheEnd, maybe(aDiscountEnd)],
  ...[maybe(aCorrection), aVoidOf(0, 1, 2), maybe(someLateUsage), maybe(aDiscount), aGeneration],
  ...[aRegenerationOf(0, 1, 2), maybe(aCorrection), maybe(somePresentUsage), toTheEnd],
);

/** A period is cut, before a discount is made and after, and parts are void and billed again. */
const aStoryOfCuts = story(
  ...[maybe(aSmallGrant), maybe(aDiscount), somePresentUsage, onTheWay, aCloseNow, aPresentDiscount],
  ...[maybe(aDiscountEnd), maybe(aVoidOf(0)), somePresentUsage, onTheWay, maybe(aCloseNow)],
  ...[maybe(aDiscountEnd), maybe(aCorrection), toTheEnd, aVoidOf(0, 1), maybe(aDiscountEnd)],
  ...[maybe(someLateUsage), aGeneration, maybe(aRegenerationOf(0, 1)), toTheEnd],
);

/** Fees in advance have percents, end early, run on or are exchanged, and their invoices are credited, void and made again. */
const aStoryOfFees = story(
  ...[maybe(aDiscount), aFeeSubscription, maybe(toAnEnd), aPresentDiscount, maybe(onTheWay), toAnEnd],
  ...[maybe(aPayment), maybe(aDiscountEnd), aFeeChange('ahead', 'ahead', 'past', 'now', 'start')],
  ...[maybe(aDiscount), maybe(aTakeBack), maybe(aNoteOf(0, 1)), maybe(aFinalize), toTheEnd],
  ...[maybe(aDiscountEnd), maybe(aNoteVoidOf(0)), aVoidOf(0, 1, 2), maybe(aDiscount), aGeneration],
  ...[maybe(anEnd('ahead', 'now', 'past', 'start', 'billed')), maybe(onTheWay), maybe(aDiscountEnd)],
  ...[aRegenerationOf(0, 1, 2), toTheEnd],
);

/** A subscription is ended in a period that was billed with percents. */
const aStoryOfEnds = story(
  ...[maybe(aFeeSubscription), aPresentDiscount, somePresentUsage, maybe(aCloseNow), toAnEnd],
  ...[maybe(aPayment), somePresentUsage, maybe(aDiscount), maybe(aDiscountEnd), maybe(toAnEnd)],
  ...[maybe(aVoidOf(0, 1)), anEnd('billed', 'billed', 'past', 'start'), maybe(someLateUsage)],
  ...[maybe(aDiscount), maybe(aDiscountEnd), maybe(aCorrection), toTheEnd, aVoidOf(0, 1, 2)],
  ...[aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

export const aStoryOfDiscounts: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfUsage, aStoryOfUsage, aStoryOfCuts, aStoryOfFees, aStoryOfFees, aStoryOfEnds],
);
