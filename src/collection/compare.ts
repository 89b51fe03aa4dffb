import {
  COMPARED,
  beginComparisons,
  dueComparisons,
  endComparison,
  moveComparison,
  putOffComparison,
  type Compared,
  type Comparison,
} from '../db/collection/comparisons.ts';
import { askProvider, openProvider, type Collector, type OpenedProvider } from './opened.ts';
import { ProviderError, type PlaceOfList } from './provider.ts';
import { recordCharge } from './record-charge.ts';
import { recordDispute } from './record-dispute.ts';
import { recordRefund } from './record-refund.ts';

/** Providers of which a page is compared at once. */
const COMPARED_AT_ONCE = 20;
/** Wait before a provider that does not answer is asked for its page again. */
const PUT_OFF_SECONDS = 300;

/** What a difference is about, and whether it could be booked. */
export type Difference = {
  environment_id: number;
  kind: Compared;
  reference: string;
  /** Why it is for a person; null if it is booked now. */
  fault: string | null;
};

type Compare = {
  signal: AbortSignal;
  report: (error: unknown) => void;
  differs: (difference: Difference) => void;
};

/**
 * Compares one page of each environment whose turn it is with its provider, and books what differs (billing.md 23). Each
 * night what was made in the last three days is compared, charges before refunds before disputes; the place is a row, so
 * that a process that ends loses nothing.
 */
export async function compareDue(collector: Collector, { signal, report, differs }: Compare): Promise<void> {
  const { pool } = collector;
  await beginComparisons(pool);
  for (const place of await dueComparisons(pool, COMPARED_AT_ONCE)) {
    if (signal.aborted) return;
    try {
      const opened = await openProvider(collector, place.environment_id);
      if (opened?.access.id === place.provider_id) await comparePage(collector, opened, { place, differs });
      else await putOffComparison(pool, place, PUT_OFF_SECONDS);
    } catch (error) {
      if (!(error instanceof ProviderError)) report(error);
      await putOffComparison(pool, place, PUT_OFF_SECONDS);
    }
  }
}

async function comparePage(
  collector: Collector,
  opened: OpenedProvider,
  { place, differs }: Pick<Compare, 'differs'> & { place: Comparison },
): Promise<void> {
  const { pool } = collector;
  const { environment_id, kind, since, after_reference } = place;
  const { items, after } = await readPage(collector, opened, { kind, since, after: after_reference });
  for (const { reference, record } of items) {
    const fault = await record();
    if (fault !== undefined) differs({ environment_id, kind, reference, fault });
  }
  const next = after === null ? COMPARED[COMPARED.indexOf(kind) + 1] : kind;
  if (next === undefined) await endComparison(pool, place);
  else await moveComparison(pool, place, { kind: next, after_reference: after });
}

/** An object at the provider. `record` returns undefined where it is here as it is there, else as a Difference says. */
type Item = { reference: string; record: () => Promise<string | null | undefined> };

/** A page of a kind. */
async function readPage(
  collector: Collector,
  opened: OpenedProvider,
  { kind, ...place }: PlaceOfList & { kind: Compared },
): Promise<{ items: Item[]; after: string | null }> {
  const { pool } = collector;
  const { access } = opened;
  const booked = async (recorded: Promise<boolean>) => ((await recorded) ? null : undefined);
  switch (kind) {
    case 'charge':
      return itemsOf(
        await askProvider(collector, opened, (provider) => provider.intentsSince(place)),
        (intent) => recordCharge(pool, access, intent),
      );
    case 'refund':
      return itemsOf(
        await askProvider(collector, opened, (provider) => provider.refundsSince(place)),
        (refund) => booked(recordRefund(pool, access, refund)),
      );
    case 'dispute':
      return itemsOf(
        await askProvider(collector, opened, (provider) => provider.disputesSince(place)),
        (dispute) => booked(recordDispute(pool, access, dispute)),
      );
  }
}

function itemsOf<Of extends { reference: string }>(
  { items, after }: { items: Of[]; after: string | null },
  record: (item: Of) => Promise<string | null | undefined>,
): { items: Item[]; after: string | null } {
  return { items: items.map((item) => ({ reference: item.reference, record: () => record(item) })), after };
}
