import { transaction, type Pool } from '../db/connection/pool.ts';
import { findOpenAttempt, storeIntent, type OpenAttemptRow } from '../db/collection/attempts.ts';
import { knownReferences } from '../db/collection/known-references.ts';
import { lockCustomer } from '../db/customers/customers.ts';
import { endCharge } from './end-charge.ts';
import { refusalOf, type PaymentProvider, type ProviderIntent } from './provider.ts';

const CHARGES: readonly ProviderIntent['status'][] = ['succeeded', 'processing'];

/**
 * Gives an attempt its intent and stores it: one of the invoice that nobody here knows, which a restored database has
 * forgotten, else, if it `may_charge`, a new one, which charges nothing before it is confirmed. Without an intent the
 * attempt ends. Returns the intent. Asked again after its answer was lost, it finds the same intent.
 */
export async function prepare(
  { pool, provider }: { pool: Pool; provider: PaymentProvider },
  attempt: OpenAttemptRow,
  may_charge: boolean,
): Promise<ProviderIntent | null> {
  const { environment_id, id } = attempt;
  const known = await unknownIntent({ pool, provider }, attempt);
  const intent = known ?? (may_charge ? await newIntent(provider, attempt) : null);
  if (intent === null || typeof intent === 'string') {
    await endWithoutIntent(pool, attempt, intent);
    return null;
  }
  const { reference, amount } = intent;
  const is_confirmed = CHARGES.includes(intent.status);
  await storeIntent(pool, { environment_id, id }, { reference, amount, is_confirmed });
  return intent;
}

/**
 * The intent of an invoice that no attempt has: one that has charged before one that charges, else that of this
 * attempt. All others are canceled, so that none charges later.
 */
async function unknownIntent(
  { pool, provider }: { pool: Pool; provider: PaymentProvider },
  { environment_id, id, provider_id, invoice_id, customer_reference }: OpenAttemptRow,
): Promise<ProviderIntent | null> {
  const intents = await provider.intentsOf({ invoice_id, customer_reference });
  const references = intents.map(({ reference }) => reference);
  const known = await knownReferences(pool, { environment_id, provider_id, references });
  const found: ProviderIntent[] = [];
  for (const intent of intents) {
    if (known.has(intent.reference) || intent.status === 'canceled') continue;
    const is_own = intent.attempt_id === id;
    found.push(is_own || CHARGES.includes(intent.status) ? intent : await canceled(provider, intent));
  }
  return (
    found.find(({ status }) => status === 'succeeded') ??
    found.find(({ status }) => status === 'processing') ??
    found.find(({ attempt_id, status }) => attempt_id === id && status !== 'canceled') ??
    null
  );
}

/** An intent after it was canceled; one that cannot be, as it is. */
async function canceled(provider: PaymentProvider, { reference }: ProviderIntent): Promise<ProviderIntent> {
  const answer = await provider.cancelIntent(reference).catch(refusalOf);
  return typeof answer === 'string' ? provider.readIntent(reference) : answer;
}

/** A new intent, or the provider's word for why it makes none. */
async function newIntent(
  provider: PaymentProvider,
  { id, method_reference, ...attempt }: OpenAttemptRow,
): Promise<ProviderIntent | string> {
  const { invoice_id, invoice_number, amount, currency, customer_reference } = attempt;
  const intent = { invoice_id, invoice_number, amount, currency, customer_reference, method_reference };
  return provider.prepareIntent({ attempt_id: id, ...intent }).catch(refusalOf);
}

async function endWithoutIntent(
  pool: Pool,
  { environment_id, id, invoice_id, customer_id }: OpenAttemptRow,
  decline_code: string | null,
): Promise<void> {
  const status = decline_code === null ? 'canceled' : 'declined';
  await transaction(pool, async (db) => {
    await lockCustomer(db, environment_id, customer_id);
    const attempt = await findOpenAttempt(db, { environment_id, invoice_id });
    if (attempt?.id !== id || attempt.provider_reference !== null) return;
    await endCharge(db, attempt, { status, decline_code });
  });
}
