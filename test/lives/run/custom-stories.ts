import fc from 'fast-check';
import { aCustomChange, aTakeBack } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { aCustomOfCustom } from '../commands/custom-commands.ts';
import { aCustomSubscription } from '../commands/customer-commands.ts';
import { aPresentDiscount } from '../commands/discount-commands.ts';
import { anEnd } from '../commands/end-commands.ts';
import { aCorrection, someLateUsage, somePresentUsage } from '../commands/event-commands.ts';
import { aSmallGrant } from '../commands/grant-commands.ts';
import { aCloseNow, aGeneration, aRegenerationOf, aVoidOf } from '../commands/invoice-commands.ts';
import { maybe, story } from './story.ts';
import { onTheWay, toAnEnd, toTheEnd } from './ways.ts';

/** Stories of custom plans (billing.md 12). */

/** Usage is billed by a custom plan, and by others from dates on; it comes late, and is billed again. */
const aStoryOfPrices = story(
  ...[aCustomSubscription, maybe(aSmallGrant), maybe(aPresentDiscount), somePresentUsage, onTheWay],
  ...[maybe(aCloseNow), aCustomChange('now', 'ahead', 'past', 'start'), somePresentUsage, maybe(aTakeBack)],
  ...[toAnEnd, someLateUsage, maybe(aCorrection), maybe(aCustomOfCustom), somePresentUsage, toTheEnd],
  ...[aCustomChange('ahead', 'now'), aVoidOf(0, 1, 2), aGeneration, toTheEnd, aRegenerationOf(0, 1, 2)],
  ...[maybe(anEnd('ahead', 'past', 'billed')), toTheEnd],
);

export const aStoryOfCustomPlans: fc.Arbitrary<Command> = aStoryOfPrices;
