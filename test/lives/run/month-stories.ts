import { aCorrection, someLateUsage, somePresentUsage } from '../commands/event-commands.ts';
import { aGeneration, aRegenerationOf, aRehearsal, aVoidOf } from '../commands/invoice-commands.ts';
import { aCloseOfNewest, aMonthOpening } from '../commands/month-commands.ts';
import { aCreditNote, aNoteOf, aNoteVoid } from '../commands/note-commands.ts';
import { aPartPayment, aReversal } from '../commands/owed-commands.ts';
import { maybe, story } from './story.ts';
import { onTheWay, toTheEnd } from './ways.ts';

/** A month is closed; what corrects its documents is refused or let through, until it is opened again. */
export const aStoryOfClosedMonths = story(
  ...[somePresentUsage, toTheEnd, maybe(aNoteOf(0, 1)), maybe(aCreditNote), onTheWay, aCloseOfNewest],
  ...[
    someLateUsage,
    aVoidOf(0, 0, 1),
    aRegenerationOf(0, 1),
    aRehearsal,
    maybe(aNoteVoid),
    aCreditNote,
    aPartPayment,
  ],
  ...[aReversal, aCorrection, toTheEnd, maybe(aMonthOpening), aVoidOf(0, 1, 2), aGeneration],
);
