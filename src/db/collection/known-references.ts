import type { Db } from '../connection/pool.ts';
import { isByProvider } from '../invoicing/refunded.ts';

/** Those of some intents of a provider that an attempt or a page has, or that are booked. */
export async function knownReferences(
  db: Db,
  {
    environment_id,
    provider_id,
    references,
  }: { environment_id: number; provider_id: string; references: readonly string[] },
): Promise<Set<string>> {
  const { rows } = await db.query<{ provider_reference: string }>(
    `select provider_reference from payment_attempts
     where environment_id = $1 and provider_id = $2 and provider_reference = any($3)
     union all
     select intent_reference from payment_pages
     where environment_id = $1 and provider_id = $2 and intent_reference = any($3)
     union all
     select p.reference from payments p
     where p.environment_id = $1 and p.reference = any($3) and ${isByProvider('p')}`,
    [environment_id, provider_id, references],
  );
  return new Set(rows.map(({ provider_reference }) => provider_reference));
}

/** The payment of a charge of a provider, whatever has recorded it; null if there is none. */
export async function paymentOfCharge(
  db: Db,
  { environment_id, reference }: { environment_id: number; reference: string },
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from payments where environment_id = $1 and reference = $2 and created_by ~ '^(pat|pys|pp)_'`,
    [environment_id, reference],
  );
  return rows[0]?.id ?? null;
}
