import type { BillingSettings } from '../src/domain/subscription/subscription.ts';
import { transaction, type Db, type TransactionLimits, type Pool } from '../src/db/connection/pool.ts';
import { refuseRegeneration, type Regeneration } from '../src/db/subscriptions/regenerations.ts';
import { serveRegeneration } from '../src/billing/owed/regenerate.ts';
import { refusalOf } from './impossible.ts';

/**
 * Serves one request to replace an invoice. Returns the outcome as a sentence, which an operator reads in the Temporal
 * UI. A refusal is written to the request, and the subscription goes on.
 */
export async function regenerateInvoice(
  { pool, settings, patience }: { pool: Pool; settings: BillingSettings; patience: TransactionLimits },
  key: { environment_id: number; subscription_id: string; regeneration_id: string },
): Promise<string> {
  const { environment_id, regeneration_id: id } = key;
  try {
    const serve = (db: Db) => serveRegeneration(db, { ...key, id }, settings);
    return outcomeOf(await transaction(pool, serve, patience));
  } catch (error) {
    const refused = refusalOf(error);
    if (refused === null) throw error;
    const { sentence: refusal, details } = refused;
    return outcomeOf(
      await transaction(pool, (db) => refuseRegeneration(db, environment_id, { id, refusal, details })),
    );
  }
}

function outcomeOf({ invoice_id, new_invoice_id, refusal }: Regeneration): string {
  return new_invoice_id === null
    ? `${invoice_id} was not regenerated: ${refusal}`
    : `${invoice_id} was replaced by ${new_invoice_id}.`;
}
