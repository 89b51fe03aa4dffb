import fc from 'fast-check';
import { aBankAnswer, aCharge } from '../commands/charge-commands.ts';
import type { Command } from '../commands/command.ts';
import { aFeeSubscription, anAdvanceBy } from '../commands/customer-commands.ts';
import { somePresentUsage } from '../commands/event-commands.ts';
import { aRegenerationOf, aVoidOf } from '../commands/invoice-commands.ts';
import {
  aCard,
  aGoodCard,
  aMethodRemoval,
  aNewDefault,
  aPoorCard,
  aProvider,
} from '../commands/method-commands.ts';
import { aCreditNote, aNoteVoid } from '../commands/note-commands.ts';
import { anApplication, aPartPayment, aPayout, aReversal } from '../commands/owed-commands.ts';
import { aDebitAnswer, aPage, aPagePayment } from '../commands/page-commands.ts';
import { aMode, anAutomaticMode, aPause, aResume } from '../commands/pause-commands.ts';
import {
  aDispute,
  aDisputeMove,
  aNoteRefund,
  aProviderRefund,
  aRefund,
  aRefundFailure,
} from '../commands/refund-commands.ts';
import { maybe, story } from './story.ts';
import { onTheWay, toTheEnd } from './ways.ts';

/** Stories of methods and charges (billing.md 19 to 24). */

const aLongWay = anAdvanceBy({ hold_drafts: [false] }, 'late', 'two ends');

/** Invoices are charged by hand, with cards of every kind, and paid, credited and void around it. */
const aStoryOfCharges = story(
  ...[aProvider, maybe(aCard), somePresentUsage, toTheEnd, aGoodCard, maybe(aPartPayment), aCharge],
  ...[maybe(aCreditNote), maybe(aPartPayment), maybe(aVoidOf(0)), aBankAnswer, maybe(aReversal)],
  ...[maybe(aNewDefault), somePresentUsage, toTheEnd, maybe(aPause), aCharge, maybe(aResume), aCharge],
  ...[maybe(aCreditNote), aBankAnswer, maybe(anApplication), maybe(aPayout), maybe(aNoteVoid), aCharge],
);

/** Methods are saved, removed and made the default, while charges are declined. */
const aStoryOfMethods = story(
  ...[aProvider, aPoorCard, maybe(aFeeSubscription), somePresentUsage, toTheEnd, aCharge, maybe(aCharge)],
  ...[aCard, aNewDefault, aCharge, maybe(aMethodRemoval), aBankAnswer, maybe(aCard), maybe(onTheWay)],
  ...[aCharge, aMethodRemoval, maybe(aNewDefault), aCharge, maybe(aRegenerationOf(0, 1)), toTheEnd],
  ...[maybe(aPause), aCharge, aBankAnswer],
);

/** Invoices are charged by themselves, again and again, while methods, pauses and the mode change. */
const aStoryOfPlans = story(
  ...[aProvider, maybe(aCard), anAutomaticMode, maybe(aFeeSubscription), somePresentUsage, toTheEnd],
  ...[aPoorCard, somePresentUsage, toTheEnd, onTheWay, maybe(aPause), maybe(aCharge), onTheWay],
  ...[maybe(aCreditNote), maybe(aPartPayment), aBankAnswer, maybe(aCard), aNewDefault, maybe(aResume)],
  ...[toTheEnd, maybe(aVoidOf(0, 1)), maybe(aReversal), maybe(aMode), aLongWay, maybe(anAutomaticMode)],
  ...[maybe(aResume), maybe(aGoodCard), aNewDefault, somePresentUsage, toTheEnd, aBankAnswer, onTheWay],
);

/** Payers pay on pages, by cards and by debits, while charges, payments and voids come in between. */
const aStoryOfPages = story(
  ...[
    aProvider,
    maybe(aCard),
    maybe(aFeeSubscription),
    somePresentUsage,
    toTheEnd,
    aPage,
    maybe(aPartPayment),
  ],
  ...[maybe(aPage), aPagePayment, maybe(aCharge), maybe(aCreditNote), aDebitAnswer, maybe(aReversal)],
  ...[
    somePresentUsage,
    toTheEnd,
    aPage,
    maybe(aCharge),
    maybe(aPause),
    aPage,
    maybe(aVoidOf(0)),
    aPagePayment,
  ],
  ...[maybe(aPage), maybe(aResume), aDebitAnswer, aCharge, aBankAnswer, maybe(aNoteVoid), toTheEnd],
);

/** Money goes back, by hand, at the provider, by notes and by disputes; some of it returns. */
const aStoryOfRefunds = story(
  ...[aProvider, aGoodCard, maybe(aFeeSubscription), somePresentUsage, toTheEnd, aCharge, aBankAnswer],
  ...[maybe(aPartPayment), aRefund, maybe(aCharge), maybe(aRefund), maybe(aRefundFailure), aProviderRefund],
  ...[maybe(aCreditNote), maybe(aResume), aDispute, maybe(aRefund), aDisputeMove, somePresentUsage, toTheEnd],
  ...[maybe(aPage), maybe(aPagePayment), aCharge, aNoteRefund, aDispute, aDisputeMove, maybe(aPayout)],
  ...[aRefund, maybe(aReversal), aRefundFailure, maybe(aVoidOf(0, 1)), aProviderRefund, maybe(anApplication)],
  ...[aDisputeMove, aRefundFailure, toTheEnd],
);

export const aStoryOfProviders: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfCharges, aStoryOfMethods],
  ...[aStoryOfPages, aStoryOfPages, aStoryOfRefunds, aStoryOfRefunds, aStoryOfRefunds],
);

/** Stories that a run may have many of, planned charges too: other lives leave these out while some of them are not as billing.md 21 says. */
export const aStoryOfCollection: fc.Arbitrary<Command> = fc.oneof(
  ...[aStoryOfProviders, aStoryOfProviders, aStoryOfPlans],
);
