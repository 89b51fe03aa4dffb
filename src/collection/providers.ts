import { transaction, type Act } from '../db/connection/pool.ts';
import { removeMethodsOf } from '../db/collection/methods.ts';
import { endPagesOf } from '../db/collection/pages.ts';
import { giveUpErasures } from '../db/collection/provider-customers.ts';
import {
  findAccess,
  findProvider,
  hasOpenCharges,
  insertProvider,
  markProviderDeleted,
  replaceKey,
  replaceWebhookSecret,
} from '../db/collection/providers.ts';
import { BillingError, conflict, invalid } from '../domain/money/errors.ts';
import { newId } from '../keys/ids.ts';
import type { PaymentProvider as ProviderObject } from '../objects/payment-provider.ts';
import { closePagesAt } from './close-pages.ts';
import { openProvider, type Collector } from './opened.ts';
import { ProviderError, type PaymentProvider } from './provider.ts';
import { sealedOf } from './provider-secrets.ts';
import { stripeProvider } from './stripe/stripe.ts';

const RETRY_SECONDS = 5;

/** Who asks, in which environment. */
type Asking = { environment_id: number; livemode: boolean; act: Act; by: string };

/** Secrets as a person sends them. */
type NewSecrets = { secret_key: string; webhook_secret: string | undefined };

/**
 * Makes the provider of an environment, after its key was tried. Where Stripe reaches `public_url` by https, and no
 * secret of events is sent, it is asked to post them. Throws invalid_request `key_refused`, `wrong_mode`, conflict
 * `too_many`, internal_error `unavailable`.
 */
export async function createProvider(
  collector: Collector,
  { environment_id, livemode, act, by }: Asking,
  { secret_key, webhook_secret, public_url }: NewSecrets & { public_url: string },
): Promise<ProviderObject> {
  const { pool, secrets } = collector;
  if ((await findAccess(pool, environment_id)) !== null) throw tooMany();
  const provider = providerOf(collector, secret_key);
  const account = await triedAccount(provider, livemode);
  const id = newId('pp');
  const webhook_url = `${public_url}provider-webhooks/${id}`;
  const made =
    webhook_secret === undefined && webhook_url.startsWith('https:')
      ? await aboutKey(provider.createWebhook(webhook_url))
      : null;
  const secret = webhook_secret ?? made?.secret;
  const new_provider = {
    ...({ id, kind: 'stripe', account, webhook_url, created_by: by } as const),
    secret_key: sealedOf(secret_key, { id, use: 'key', secrets }),
    key_last_four: secret_key.slice(-4),
    webhook_secret: secret === undefined ? null : sealedOf(secret, { id, use: 'webhook', secrets }),
    webhook_reference: made?.reference ?? null,
  };
  const is_made = await transaction(pool, (db) => insertProvider(db, environment_id, new_provider), { act });
  if (!is_made) {
    if (made !== null) await atBest(provider.deleteWebhook(made.reference));
    throw tooMany();
  }
  return (await findProvider(pool, environment_id, id))!;
}

/**
 * Changes the secrets of a provider; null if it does not exist. The key is tried, and is one of the same account. The
 * secret of events until now stays valid beside the new one. Throws invalid_request `key_refused`, `wrong_mode`,
 * `other_account`, internal_error `unavailable`.
 */
export async function changeProvider(
  collector: Collector,
  { environment_id, livemode, act }: Asking,
  { id, secret_key, webhook_secret }: Partial<NewSecrets> & { id: string },
): Promise<ProviderObject | null> {
  const { pool, secrets } = collector;
  const before = await findProvider(pool, environment_id, id);
  if (before === null) return null;
  if (secret_key !== undefined) {
    const account = await triedAccount(providerOf(collector, secret_key), livemode);
    if (account !== before.account) {
      const message = `secret_key is of the account ${account}: its customers and methods are others than those of ${before.account}`;
      throw invalid('secret_key', 'other_account', message);
    }
  }
  await transaction(
    pool,
    async (db) => {
      if (secret_key !== undefined)
        await replaceKey(db, environment_id, {
          id,
          secret_key: sealedOf(secret_key, { id, use: 'key', secrets }),
          key_last_four: secret_key.slice(-4),
        });
      if (webhook_secret !== undefined) {
        const sealed = sealedOf(webhook_secret, { id, use: 'webhook', secrets });
        await replaceWebhookSecret(db, environment_id, { id, webhook_secret: sealed });
      }
    },
    { act },
  );
  return findProvider(pool, environment_id, id);
}

/**
 * Deletes a provider, its methods and open pages, which are closed there first, if the provider answers; false if it
 * does not exist. The endpoint that we made there goes too,
 * if the provider answers. Throws conflict `charge_in_progress`.
 */
export async function deleteProvider(
  collector: Collector,
  { environment_id, act }: Asking,
  id: string,
): Promise<boolean> {
  const { pool } = collector;
  const before = await openProvider(collector, environment_id);
  if (before?.access.id !== id) return false;
  await closePagesAt(pool, before);
  const is_deleted = await transaction(
    pool,
    async (db) => {
      if (!(await markProviderDeleted(db, environment_id, id))) return false;
      if (await hasOpenCharges(db, environment_id, id))
        throw conflict(null, 'charge_in_progress', `a charge of the provider ${id} is under way`);
      await removeMethodsOf(db, environment_id, id);
      await endPagesOf(db, environment_id, { provider_id: id });
      await giveUpErasures(db, environment_id, id);
      return true;
    },
    { act },
  );
  const { webhook_reference } = before.access;
  if (is_deleted && webhook_reference !== null)
    await atBest(before.provider.deleteWebhook(webhook_reference));
  return is_deleted;
}

function providerOf({ stripe_api_url: api_url }: Collector, secret_key: string): PaymentProvider {
  return stripeProvider({ secret_key, api_url });
}

/** The account of a key that was tried. Throws invalid_request `key_refused`, `wrong_mode`. */
async function triedAccount(provider: PaymentProvider, livemode: boolean): Promise<string> {
  const read = await aboutKey(provider.readAccount());
  if (read.livemode === livemode) return read.account;
  const [sent, environment] = read.livemode ? ['live', 'test'] : ['test', 'live'];
  throw invalid('secret_key', 'wrong_mode', `secret_key is a ${sent} key, and this is ${environment} data`);
}

/** Throws invalid_request at secret_key for what the provider refuses, internal_error if it does not answer. */
async function aboutKey<Answer>(request: Promise<Answer>): Promise<Answer> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.kind === 'unreachable') throw unanswered();
    throw invalid('secret_key', 'key_refused', `secret_key is refused: ${error.message}`);
  }
}

/** Error of a request for which a provider is needed that does not answer. */
export function unanswered(): BillingError {
  const message = 'the payment provider does not answer; retry in a moment';
  return new BillingError('internal_error', [{ param: null, reason: 'unavailable', message }], RETRY_SECONDS);
}

/** Waits for what may fail: an endpoint that stays at the provider posts what nobody takes. */
async function atBest(request: Promise<void>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}

function tooMany(): BillingError {
  return conflict(null, 'too_many', 'an environment has at most one payment provider');
}
