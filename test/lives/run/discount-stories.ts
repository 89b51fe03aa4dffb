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
import { sometimes, story } from './story.ts';
import { onTheWay, toAnEnd, toTheEnd } from './ways.ts';

/** Stories of discounts (billing.md 11). */

/** Usage is billed with percents, comes late and is corrected, and its invoices are void and made again once the discount has ended. */
const aStoryOfUsage = story(
  ...[
    sometimes(aSmallGrant),
    aPresentDiscount,
    somePresentUsage,
    sometimes(aDiscount),
    sometimes(aDiscountEnd),
  ],
  ...[
    toAnEnd,
    sometimes(aPayment),
    sometimes(aDiscount),
    sometimes(aDiscountEnd),
    someLateUsage,
    aCorrection,
  ],
  ...[sometimes(anItem), sometimes(aRehearsal), sometimes(aFinalize), toTheEnd, sometimes(aDiscountEnd)],
  ...[sometimes(aCorrection), aVoidOf(0, 1, 2), sometimes(someLateUsage), sometimes(aDiscount), aGeneration],
  ...[aRegenerationOf(0, 1, 2), sometimes(aCorrection), sometimes(somePresentUsage), toTheEnd],
);

/** A period is cut, before a discount is made and after, and parts are void and billed again. */
const aStoryOfCuts = story(
  ...[sometimes(aSmallGrant), sometimes(aDiscount), somePresentUsage, onTheWay, aCloseNow, aPresentDiscount],
  ...[sometimes(aDiscountEnd), sometimes(aVoidOf(0)), somePresentUsage, onTheWay, sometimes(aCloseNow)],
  ...[sometimes(aDiscountEnd), sometimes(aCorrection), toTheEnd, aVoidOf(0, 1), sometimes(aDiscountEnd)],
  ...[sometimes(someLateUsage), aGeneration, sometimes(aRegenerationOf(0, 1)), toTheEnd],
);

/** Fees in advance have percents, end early, run on or are exchanged, and their invoices are credited, void and made again. */
const aStoryOfFees = story(
  ...[
    sometimes(aDiscount),
    aFeeSubscription,
    sometimes(toAnEnd),
    aPresentDiscount,
    sometimes(onTheWay),
    toAnEnd,
  ],
  ...[sometimes(aPayment), sometimes(aDiscountEnd), aFeeChange('ahead', 'ahead', 'past', 'now', 'start')],
  ...[sometimes(aDiscount), sometimes(aTakeBack), sometimes(aNoteOf(0, 1)), sometimes(aFinalize), toTheEnd],
  ...[
    sometimes(aDiscountEnd),
    sometimes(aNoteVoidOf(0)),
    aVoidOf(0, 1, 2),
    sometimes(aDiscount),
    aGeneration,
  ],
  ...[
    sometimes(anEnd('ahead', 'now', 'past', 'start', 'billed')),
    sometimes(onTheWay),
    sometimes(aDiscountEnd),
  ],
  ...[aRegenerationOf(0, 1, 2), toTheEnd],
);

/** A subscription is ended in a period that was billed with percents. */
const aStoryOfEnds = story(
  ...[sometimes(aFeeSubscription), aPresentDiscount, somePresentUsage, sometimes(aCloseNow), toAnEnd],
  ...[
    sometimes(aPayment),
    somePresentUsage,
    sometimes(aDiscount),
    sometimes(aDiscountEnd),
    sometimes(toAnEnd),
  ],
  ...[sometimes(aVoidOf(0, 1)), anEnd('billed', 'billed', 'past', 'start'), sometimes(someLateUsage)],
  ...[sometimes(aDiscount), sometimes(aDiscountEnd), sometimes(aCorrection), toTheEnd, aVoidOf(0, 1, 2)],
  ...[aGeneration, aRegenerationOf(0, 1, 2), toTheEnd],
);

export const aStoryOfDiscounts: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfUsage, aStoryOfUsage, aStoryOfCuts, aStoryOfFees, aStoryOfFees, aStoryOfEnds],
);
