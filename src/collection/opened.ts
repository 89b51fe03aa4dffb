import type { Pool } from '../db/connection/pool.ts';
import {
  findAccess,
  noteProviderStatus,
  replaceSealedSecrets,
  type ProviderAccess,
} from '../db/collection/providers.ts';
import type { Config } from '../settings/config.ts';
import type { SigningSecrets } from '../settings/signing-secrets.ts';
import { ProviderError, type PaymentProvider } from './provider.ts';
import { secretsOf } from './provider-secrets.ts';
import { stripeProvider } from './stripe/stripe.ts';

/** The parts with which payment providers are asked. */
export type Collector = {
  pool: Pool;
  /** Under which the secrets of providers are encrypted. */
  secrets: SigningSecrets;
  /** Null: Stripe itself. */
  stripe_api_url: string | null;
};

/** The collector of a process. */
export function collectorOf(
  pool: Pool,
  { stripe_api_url }: Pick<Config, 'stripe_api_url'>,
  secrets: SigningSecrets,
): Collector {
  return { pool, secrets, stripe_api_url };
}

/** The provider of an environment, ready to be asked by `askProvider`. */
export type OpenedProvider = {
  access: ProviderAccess;
  provider: PaymentProvider;
  /** Secrets that sign its events, the newest first. */
  webhook_secrets: readonly string[];
};

/**
 * The provider of an environment; null without one. Of one whose secrets TIDEMARK_SECRET does not read, every request
 * is `key_refused`.
 */
export async function openProvider(
  collector: Collector,
  environment_id: number,
): Promise<OpenedProvider | null> {
  const access = await findAccess(collector.pool, environment_id);
  return access === null ? null : openAccess(collector, access);
}

/** Opens the provider of an environment, if it is one with this id; null if the environment has that one no more. */
export type ProviderOpener = (key: {
  environment_id: number;
  provider_id: string;
}) => Promise<OpenedProvider | null>;

/** The opener of a process. */
export function openerOf(collector: Collector): ProviderOpener {
  return async ({ environment_id, provider_id }) => {
    const opened = await openProvider(collector, environment_id);
    return opened?.access.id === provider_id ? opened : null;
  };
}

/** Asks a provider, and notes whether it takes the key. Throws ProviderError. */
export async function askProvider<Answer>(
  { pool }: Pick<Collector, 'pool'>,
  { access, provider }: OpenedProvider,
  request: (provider: PaymentProvider) => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await request(provider);
    if (access.status === 'failing') await noteProviderStatus(pool, access, null);
    return answer;
  } catch (error) {
    if (error instanceof ProviderError && error.kind === 'key_refused')
      await noteProviderStatus(pool, access, error.message);
    throw error;
  }
}

/** A provider by its stored secrets, which are encrypted anew if the second value of TIDEMARK_SECRET read them. */
export async function openAccess(collector: Collector, access: ProviderAccess): Promise<OpenedProvider> {
  const { pool, secrets, stripe_api_url: api_url } = collector;
  const unsealed = secretsOf(access, secrets);
  if (unsealed === null) return { access, provider: refusing(), webhook_secrets: [] };
  if (unsealed.sealed_anew !== null) await replaceSealedSecrets(pool, access, unsealed.sealed_anew);
  const { secret_key, webhook_secrets } = unsealed;
  return { access, provider: stripeProvider({ secret_key, api_url }), webhook_secrets };
}

/** A provider that nobody can ask: its key cannot be read. */
function refusing(): PaymentProvider {
  const refuse = () =>
    Promise.reject(
      new ProviderError('key_refused', 'TIDEMARK_SECRET does not read the key: send the key once more'),
    );
  return {
    readAccount: refuse,
    createWebhook: refuse,
    deleteWebhook: refuse,
    createCustomer: refuse,
    eraseCustomer: refuse,
    createMethodPage: refuse,
    readMethodPage: refuse,
    createPaymentPage: refuse,
    readPaymentPage: refuse,
    expirePaymentPage: refuse,
    readMethod: refuse,
    detachMethod: refuse,
    prepareIntent: refuse,
    intentsOf: refuse,
    readIntent: refuse,
    setIntentAmount: refuse,
    confirmIntent: refuse,
    cancelIntent: refuse,
    createRefund: refuse,
    readRefund: refuse,
    refundsOf: refuse,
    readDispute: refuse,
    intentsSince: refuse,
    refundsSince: refuse,
    disputesSince: refuse,
    readEvent: () => null,
  };
}
