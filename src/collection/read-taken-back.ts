import { dueDisputes, type DisputeRow } from '../db/collection/disputes.ts';
import { dueEvents, noteEventRead, type DueEvent } from '../db/collection/provider-events.ts';
import { dueRefunds } from '../db/collection/refunds.ts';
import { putOffTakenBack } from '../db/collection/taken-back.ts';
import { goOnWithRefund } from './ask-for-refund.ts';
import { askProvider, type Collector, type OpenedProvider } from './opened.ts';
import type { Turn } from './read-due.ts';
import { recordDispute } from './record-dispute.ts';
import { recordRefund } from './record-refund.ts';

/** Turns of refunds, of disputes, and of events about them. */
export async function takenBackTurns(
  collector: Collector,
  { limit, put_off_seconds }: { limit: number; put_off_seconds: number },
): Promise<Turn[]> {
  const { pool } = collector;
  return [
    ...(await dueEvents(pool, limit)).map((event) => ({
      environment_id: event.environment_id,
      take: (opened: OpenedProvider) => readEvent(collector, opened, event),
      putOff: () => noteEventRead(pool, event, put_off_seconds),
    })),
    ...(await dueRefunds(pool, limit)).map((refund) => ({
      environment_id: refund.environment_id,
      take: (opened: OpenedProvider) => goOnWithRefund(collector, opened, refund),
      putOff: () => putOffTakenBack(pool, 'payment_refunds', refund, put_off_seconds),
    })),
    ...(await dueDisputes(pool, limit)).map((dispute) => ({
      environment_id: dispute.environment_id,
      take: (opened: OpenedProvider) => readDispute(collector, opened, dispute),
      putOff: () => putOffTakenBack(pool, 'payment_disputes', dispute, put_off_seconds),
    })),
  ];
}

/** Reads what an event is about. A charge that is not booked here yet is compared at night. */
async function readEvent(collector: Collector, opened: OpenedProvider, event: DueEvent): Promise<void> {
  const { pool } = collector;
  const { object_type, object_reference } = event;
  switch (object_type) {
    case 'refund': {
      const refund = await askProvider(collector, opened, (provider) =>
        provider.readRefund(object_reference),
      );
      if (refund !== null) await recordRefund(pool, opened.access, refund);
      break;
    }
    case 'dispute': {
      const dispute = await askProvider(collector, opened, (provider) =>
        provider.readDispute(object_reference),
      );
      if (dispute !== null) await recordDispute(pool, opened.access, dispute);
    }
  }
  await noteEventRead(pool, event, null);
}

/** Reads how a dispute stands; one that is gone is asked about again after the time of an open one. */
async function readDispute(collector: Collector, opened: OpenedProvider, row: DisputeRow): Promise<void> {
  const { provider_reference } = row;
  const dispute = await askProvider(collector, opened, (provider) =>
    provider.readDispute(provider_reference),
  );
  if (dispute !== null) await recordDispute(collector.pool, opened.access, dispute);
  else await putOffTakenBack(collector.pool, 'payment_disputes', row, DAY_SECONDS);
}

const DAY_SECONDS = 86_400;
