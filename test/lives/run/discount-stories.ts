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
import { rarely, story } from './story.ts';
import { onTheWay, toAnEnd, toTheEnd } from './ways.ts';

/** Stories of discounts (billing.md 11). */

/** Usage is billed with percents, comes late and is corrected, and its invoices are void and made again once the discount has ended. */
const aStoryOfUsage = story(
  ...[rarely(aSmallGrant), aPresentDiscount, somePresentUsage, rarely(aDiscount), rarely(aDiscountEnd)],
  ...[toAnEnd, rarely(aPayment), rarely(aDiscount), rarely(aDiscountEnd), someLateUsage, aCorrection],
  ...[rarely(anItem), rarely(aRehearsal), rarely(aFinalize), toTheEnd, rarely(aDiscountEnd)],
  ...[rarely(aCorrection), aVoidOf(0, 1, 2), rarely(someLateUsage), rarely(aDiscount), aGeneration],
  ...[aRegenerationOf(0, 1, 2), rarely(aCorrection), rarely(somePresentUsage), toTheEnd],
);

/** A period is cut, before a discount is made and after, and parts are void and billed again. */
const aStoryOfCuts = story(
  ...[rarely(aSmallGrant), rarely(aDiscount), somePresentUsage, onTheWay, aCloseNow, aPresentDiscount],
  ...[rarely(aDiscountEnd), rarely(aVoidOf(0)), somePresentUsage, onTheWay, rarely(aCloseNow)],
  ...[rarely(aDiscountEnd), rarely(aCorrection), toTheEnd, aVoidOf(0, 1), rarely(aDiscountEnd)],
  ...[rarely(someLateUsage), aGeneration, rarely(aRegenerationOf(0, 1)), toTheEnd],
);

/** Fees in advance have percents, end early, run on or are exchanged, and their invoices are credited, void and made again. */
const aStoryOfFees = story(
  ...[rarely(aDiscount), aFeeSubscription, rarely(toAnEnd), aPresentDiscount, rarely(onTheWay), toAnEnd],
  ...[rarely(aPayment), rarely(aDiscountEnd), aFeeChange('ahead', 'ahead', 'past', 'now', 'start')],
  ...[rarely(aDiscount), rarely(aTakeBack), rarely(aNoteOf(0, 1)), rarely(aFinalize), toTheEnd],
  ...[rarely(aDiscountEnd), rarely(aNoteVoidOf(0)), aVoidOf(0, 1, 2), rarely(aDiscount), aGeneration],
  ...[rarely(anEnd('ahead', 'now', 'past', 'start', 'billed')), rarely(onTheWay), rarely(aDiscountEnd)],
  ...[aRegenerationOf(0, 1, 2), toTheEnd],
);

/** A subscription is ended in a period that was billed with percents. */
const aStoryOfEnds = story(
  ...[rarely(aFeeSubscription), aPresentDiscount, somePresentUsage, rarely(aCloseNow), toAnEnd],
  ...[rarely(aPayment), somePresentUsage, rarely(aDiscount), rarely(aDiscountEnd), rarely(toAnEnd)],
  ...[rarely(aVoidOf(0, 1)), anEnd('billed', 'billed', 'past', 'start'), rarely(someLateUsage)],
  ...[rarely(aDiscount), rarely(aDiscountEnd), rarely(aCorrection), toTheEnd, aVoidOf(0, 1, 2)],
  ...[aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

export const aStoryOfDiscounts: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfUsage, aStoryOfUsage, aStoryOfCuts, aStoryOfFees, aStoryOfFees, aStoryOfEnds],
);
