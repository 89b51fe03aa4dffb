import fc from 'fast-check';
import { aSeatChange, aTakeBack } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { aSeatSubscription, aTrial } from '../commands/customer-commands.ts';
import { aDiscountEnd, aPresentAmount, aPresentDiscount } from '../commands/discount-commands.ts';
import { anEnd, anEndTakenBack } from '../commands/end-commands.ts';
import { somePresentUsage } from '../commands/event-commands.ts';
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
import { aQuantityTakeBack, quantitiesAt, someQuantities } from '../commands/quantity-commands.ts';
import { aTrialEnd } from '../commands/trial-commands.ts';
import { maybe, story } from './story.ts';
import { onTheWay, toAnEnd, toTheEnd, toTheHold } from './ways.ts';

/** Stories of quantities of flat charges (billing.md 14). */

/** Quantities rise and fall inside a period, some scheduled, and the period is cut, closed and billed again. */
const aStoryOfPeriods = story(
  ...[aSeatSubscription, maybe(aPresentDiscount), maybe(somePresentUsage), maybe(aPayment), onTheWay],
  ...[quantitiesAt('now', 'ahead', 'past'), maybe(aCloseNow), quantitiesAt('ahead', 'later period', 'now')],
  ...[maybe(aQuantityTakeBack), onTheWay, quantitiesAt('now', 'past', 'ahead'), maybe(anItem), toAnEnd],
  ...[maybe(aFinalize), maybe(aDiscountEnd), maybe(aVoidOf(0, 1, 2)), maybe(quantitiesAt('past', 'start'))],
  ...[aGeneration, toTheEnd, maybe(aRegenerationOf(0, 1, 2)), maybe(aRehearsal)],
);

/** Further openings are paid, credited, void and made again, or wait for a void or held home. */
const aStoryOfOpenings = story(
  ...[aSeatSubscription, maybe(toAnEnd), maybe(toTheHold), maybe(aVoidOf(0, 1)), onTheWay],
  ...[quantitiesAt('now', 'past', 'ahead'), maybe(anItem), maybe(aPayment), maybe(onTheWay)],
  ...[quantitiesAt('now', 'ahead'), maybe(aNoteOf(0, 1)), aVoidOf(0, 0, 1), maybe(aGeneration)],
  ...[maybe(quantitiesAt('now', 'past')), maybe(aRegenerationOf(0, 1)), maybe(aNoteVoidOf(0)), toAnEnd],
  ...[maybe(aFinalize), aGeneration, maybe(aVoidOf(0, 1, 2)), toTheEnd, aRegenerationOf(0, 1, 2)],
);

/** Plans change with quantities and without, ends are set and withdrawn, and fees run on. */
const aStoryOfChanges = story(
  ...[aSeatSubscription, maybe(aPresentAmount), maybe(quantitiesAt('ahead', 'later period')), toAnEnd],
  ...[maybe(aPayment), aSeatChange('ahead', 'now', 'past', 'start'), maybe(quantitiesAt('ahead', 'start'))],
  ...[maybe(aTakeBack), maybe(onTheWay), maybe(anEnd('ahead', 'later period')), someQuantities],
  ...[maybe(aSeatChange('now', 'start', 'ahead')), maybe(anEndTakenBack), toAnEnd, maybe(aVoidOf(0, 1))],
  ...[maybe(anEnd('now', 'past', 'billed')), maybe(aFinalize), aGeneration, toTheEnd],
);

/** Quantities are set in a trial and before the start. */
const aStoryOfTrials = story(
  ...[maybe(aSeatSubscription), aTrial, quantitiesAt('now', 'ahead', 'period_end'), maybe(aTrialEnd)],
  ...[maybe(quantitiesAt('later period', 'ahead')), onTheWay, maybe(aQuantityTakeBack), toTheEnd],
  ...[maybe(quantitiesAt('now', 'past', 'start')), toTheEnd],
);

export const aStoryOfQuantities: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfPeriods, aStoryOfPeriods, aStoryOfOpenings, aStoryOfOpenings, aStoryOfChanges],
  ...[aStoryOfChanges, aStoryOfTrials],
);
