import { transaction } from '../db/connection/pool.ts';
import {
  dueMethods,
  noteMethodEnded,
  noteMethodRead,
  putOffMethod,
  type DueMethod,
} from '../db/collection/method-reads.ts';
import { insertMethod } from '../db/collection/methods.ts';
import { duePages, endPage, putOffPage, type DuePage } from '../db/collection/pages.ts';
import { duePaymentPages } from '../db/collection/payment-pages.ts';
import { dueErasures, noteErasure, type DueErasure } from '../db/collection/provider-customers.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { newId } from '../keys/ids.ts';
import { readPage } from './close-pages.ts';
import { askProvider, openProvider, type Collector, type OpenedProvider } from './opened.ts';
import { ProviderError } from './provider.ts';
import { takenBackTurns } from './read-taken-back.ts';

/** Rows of one kind that are read at once. */
const READ_AT_ONCE = 50;
/** Wait before a provider that does not answer, or refuses the key, is asked again. */
const PUT_OFF_SECONDS = 300;
const HOUR_SECONDS = 3600;

/** Turn of a row: what is read at the provider, and what is done where it does not answer. */
export type Turn = {
  environment_id: number;
  take: (opened: OpenedProvider) => Promise<void>;
  putOff: () => Promise<void>;
};

/**
 * Reads at the providers what is due: pages, methods, and customers that are blanked there. A provider that does not
 * answer is asked again after five minutes; `report` takes any other failure of one row, which holds up no other one.
 */
export async function readDue(
  collector: Collector,
  { signal, report }: { signal: AbortSignal; report: (error: unknown) => void },
): Promise<void> {
  const turns = await dueTurns(collector);
  const silent = new Set<number>();
  for (const turn of turns) {
    if (signal.aborted) return;
    try {
      const opened = await openProvider(collector, turn.environment_id);
      if (opened === null || silent.has(turn.environment_id)) await turn.putOff();
      else await turn.take(opened);
    } catch (error) {
      if (error instanceof ProviderError) silent.add(turn.environment_id);
      else report(error);
      await turn.putOff();
    }
  }
}

async function dueTurns(collector: Collector): Promise<Turn[]> {
  const { pool } = collector;
  return [
    ...(await duePages(pool, READ_AT_ONCE)).map((page) => ({
      environment_id: page.environment_id,
      take: (opened: OpenedProvider) => readMethodPage(collector, opened, page),
      putOff: () => putOffPage(pool, page, PUT_OFF_SECONDS),
    })),
    ...(await duePaymentPages(pool, READ_AT_ONCE)).map((page) => ({
      environment_id: page.environment_id,
      take: (opened: OpenedProvider) => readPage(pool, opened, page),
      putOff: () => putOffPage(pool, page, PUT_OFF_SECONDS),
    })),
    ...(await dueMethods(pool, READ_AT_ONCE)).map((method) => ({
      environment_id: method.environment_id,
      take: (opened: OpenedProvider) => readMethod(collector, opened, method),
      putOff: () => putOffMethod(pool, method, PUT_OFF_SECONDS),
    })),
    ...(await dueErasures(pool, READ_AT_ONCE)).map((erasure) => ({
      environment_id: erasure.environment_id,
      take: (opened: OpenedProvider) => eraseThere(collector, opened, erasure),
      putOff: () => noteErasure(pool, erasure, PUT_OFF_SECONDS),
    })),
    ...(await takenBackTurns(collector, { limit: READ_AT_ONCE, put_off_seconds: PUT_OFF_SECONDS })),
  ];
}

/** Reads a page for methods: one that was saved there is stored once, however often it is read. */
async function readMethodPage(collector: Collector, opened: OpenedProvider, page: DuePage): Promise<void> {
  const { pool } = collector;
  const { reference, environment_id, customer_id, provider_id } = page;
  // Nobody has its address.
  if (reference === null) return endPage(pool, page, 'expired');
  const { status, method_reference } = await askProvider(collector, opened, (provider) =>
    provider.readMethodPage(reference),
  );
  if (status === 'expired') return endPage(pool, page, 'expired');
  if (status === 'open' || method_reference === null)
    return page.is_given_up ? endPage(pool, page, 'expired') : putOffPage(pool, page, HOUR_SECONDS);
  const method = await askProvider(collector, opened, (provider) => provider.readMethod(method_reference));
  await transaction(pool, async (db) => {
    await lockCustomer(db, environment_id, customer_id);
    if (method !== null)
      await insertMethod(db, environment_id, { ...method, id: newId('pmd'), customer_id, provider_id });
    await endPage(db, page, 'complete');
  });
}

async function readMethod(collector: Collector, opened: OpenedProvider, method: DueMethod): Promise<void> {
  const { pool } = collector;
  const { reference } = method;
  if (method.is_removed) {
    await askProvider(collector, opened, (provider) => provider.detachMethod(reference));
    return noteMethodEnded(pool, method);
  }
  const read = await askProvider(collector, opened, (provider) => provider.readMethod(reference));
  await noteMethodRead(pool, method, read);
}

async function eraseThere(collector: Collector, opened: OpenedProvider, erasure: DueErasure): Promise<void> {
  await askProvider(collector, opened, (provider) => provider.eraseCustomer(erasure.reference));
  await noteErasure(collector.pool, erasure, null);
}
