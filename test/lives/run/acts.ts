import type fc from 'fast-check';
import type { Command } from '../commands/command.ts';
import { aQuantityTakeBack, someQuantities } from '../commands/quantity-commands.ts';
import { anAdvance, aSubscription } from '../commands/customer-commands.ts';
import { aDiscount, aDiscountEnd } from '../commands/discount-commands.ts';
import { aCancel, anEndTakenBack } from '../commands/end-commands.ts';
import { aBatch, aCorrection, aReplay } from '../commands/event-commands.ts';
import { aGrantCommand, aGrantVoid } from '../commands/grant-commands.ts';
import {
  aFinalize,
  aGeneration,
  aPayment,
  aRegeneration,
  aRehearsal,
  aTaxRate,
  aVoid,
} from '../commands/invoice-commands.ts';
import { HAS_THRESHOLDS } from '../commands/life.ts';
import { anItem, anItemDeletion } from '../commands/item-commands.ts';
import { aMonthClose, aMonthOpening } from '../commands/month-commands.ts';
import { aCreditNote, aNoteVoid } from '../commands/note-commands.ts';
import {
  aDeposit,
  aDepositReversal,
  anAdjustment,
  anApplication,
  aPartPayment,
  aPayout,
  aReversal,
} from '../commands/owed-commands.ts';
import { aThreshold } from '../commands/threshold-commands.ts';
import { aTransfer, aTransferReversal } from '../commands/transfer-commands.ts';
import { aBankAnswer, aCharge } from '../commands/charge-commands.ts';
import { aCard, aNewDefault, aProvider } from '../commands/method-commands.ts';
import { aPause, aResume } from '../commands/pause-commands.ts';
import { aTrialEnd } from '../commands/trial-commands.ts';

/** Commands that are one act each, but for changes of plan. The frequency of one is its number of entries. */
export const ACTS: readonly fc.Arbitrary<Command>[] = [
  ...[aBatch, aBatch, aBatch, aBatch, aCorrection, aCorrection, aReplay],
  ...[aGrantCommand, aGrantCommand, aGrantCommand, anAdvance, anAdvance, anAdvance, anAdvance, anAdvance],
  ...[aPartPayment, aPartPayment, aReversal, aCreditNote, aCreditNote, aNoteVoid, anApplication],
  ...[anAdjustment, aPayout, aDeposit, aDepositReversal, aTransfer, aTransfer, aTransferReversal],
  ...[anItem, anItem, anItem, anItemDeletion, aMonthClose, aMonthOpening],
  ...[aFinalize, aPayment, aTaxRate, aVoid, aGeneration, aGeneration, aRegeneration, aRegeneration],
  ...[aRehearsal, aCancel, aCancel, anEndTakenBack, aTrialEnd, aSubscription, aGrantVoid],
  ...[aDiscount, aDiscount, aDiscountEnd, aPause, aResume, aProvider, aCard, aCharge, aBankAnswer],
  aNewDefault,
  ...(HAS_THRESHOLDS ? [aThreshold, aThreshold] : []),
  ...[someQuantities, someQuantities, aQuantityTakeBack],
];
