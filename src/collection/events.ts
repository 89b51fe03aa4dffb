import { transaction, type Db } from '../db/connection/pool.ts';
import { wakeMethod } from '../db/collection/method-reads.ts';
import { wakePage } from '../db/collection/pages.ts';
import { insertProviderEvent } from '../db/collection/provider-events.ts';
import { findAccessById } from '../db/collection/providers.ts';
import { openAccess, type Collector } from './opened.ts';
import type { ProviderEvent } from './provider.ts';

/** Post of a provider to an address of ours. */
export type Posted = { provider_id: string; body: Buffer; signature: string };

/** A charge of an environment that the provider has posted about. */
export type IntentOfEvent = { environment_id: number; reference: string };

/**
 * Takes an event that a provider has posted (decision 68): stores its id, and has what it is about read. It says
 * nothing that is believed, so order, repeats and losses do no harm. Returns the charge that is to be read, if it is
 * about one; null unless one of the provider's secrets has signed it.
 */
export async function takeEvent(
  collector: Collector,
  { provider_id, body, signature }: Posted,
): Promise<{ intent: IntentOfEvent | null } | null> {
  const { pool } = collector;
  const access = await findAccessById(pool, provider_id);
  if (access === null) return null;
  const { provider, webhook_secrets } = await openAccess(collector, access);
  const event = provider.readEvent(body, signature, webhook_secrets);
  if (event === null) return null;
  const { environment_id } = access;
  if (event.object_type === 'other') return { intent: null };
  await transaction(pool, async (db) => {
    const of = { environment_id, provider_id };
    const { object_type } = event;
    const read_here = object_type === 'refund' || object_type === 'dispute' ? object_type : null;
    if (await insertProviderEvent(db, of, { ...event, object_type: read_here })) await wake(db, of, event);
  });
  // Also for an event that comes again: the first time, the process may have ended before it said so.
  const reference = event.object_reference;
  return { intent: event.object_type === 'intent' ? { environment_id, reference } : null };
}

async function wake(
  db: Db,
  { environment_id, provider_id }: { environment_id: number; provider_id: string },
  { object_type, object_reference: reference }: ProviderEvent,
): Promise<void> {
  switch (object_type) {
    case 'page':
      return wakePage(db, environment_id, { provider_id, reference });
    case 'method':
      return wakeMethod(db, environment_id, { provider_id, reference });
    // The row of the event itself is due.
    case 'refund':
    case 'dispute':
    case 'intent':
    case 'other':
      return;
  }
}
