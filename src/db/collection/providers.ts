import type { PaymentProvider } from '../../objects/payment-provider.ts';
import { IS_OPEN } from '../invoicing/charged.ts';
import type { Db } from '../connection/pool.ts';

const SELECT = `
  select p.id, 'payment_provider' as object, n.livemode, p.created_at, p.kind, p.account, p.status, p.status_reason,
    p.key_last_four, p.webhook_url
  from payment_providers p join environments n on n.id = p.environment_id`;

/** The secrets of a provider, encrypted, and what it is asked with. */
export type ProviderAccess = {
  environment_id: number;
  livemode: boolean;
  id: string;
  kind: 'stripe';
  account: string;
  status: 'active' | 'failing';
  secret_key: Buffer;
  webhook_secret: Buffer | null;
  previous_webhook_secret: Buffer | null;
  webhook_reference: string | null;
};

const SELECT_ACCESS = `
  select p.environment_id, n.livemode, p.id, p.kind, p.account, p.status, p.secret_key, p.webhook_secret,
    p.previous_webhook_secret, p.webhook_reference
  from payment_providers p join environments n on n.id = p.environment_id`;

/** The providers with these ids that are not deleted, in any order. */
export async function readProviders(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<PaymentProvider[]> {
  const { rows } = await db.query<PaymentProvider>(
    `${SELECT} where p.environment_id = $1 and p.id = any($2) and p.deleted_at is null`,
    [environment_id, ids],
  );
  return rows;
}

/** A provider by its id; null if it does not exist or is deleted. */
export async function findProvider(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PaymentProvider | null> {
  return (await readProviders(db, environment_id, [id]))[0] ?? null;
}

/** The providers of an environment, newest first. */
export async function listProviders(
  db: Db,
  environment_id: number,
  { before, limit }: { before: string | null; limit: number },
): Promise<PaymentProvider[]> {
  const { rows } = await db.query<PaymentProvider>(
    `${SELECT} where p.environment_id = $1 and p.deleted_at is null and ($2::text is null or p.id < $2)
     order by p.id desc limit $3`,
    [environment_id, before, limit],
  );
  return rows;
}

/** How the provider of an environment is asked; null without one. */
export async function findAccess(db: Db, environment_id: number): Promise<ProviderAccess | null> {
  const { rows } = await db.query<ProviderAccess>(
    `${SELECT_ACCESS} where p.environment_id = $1 and p.deleted_at is null`,
    [environment_id],
  );
  return rows[0] ?? null;
}

/** The provider that an address of events names; null for one that is deleted, or that there is none of. */
export async function findAccessById(db: Db, id: string): Promise<ProviderAccess | null> {
  const { rows } = await db.query<ProviderAccess>(
    `${SELECT_ACCESS} where p.id = $1 and p.deleted_at is null`,
    [id],
  );
  return rows[0] ?? null;
}

type NewProvider = {
  id: string;
  kind: 'stripe';
  account: string;
  secret_key: Buffer;
  key_last_four: string;
  webhook_url: string;
  webhook_secret: Buffer | null;
  webhook_reference: string | null;
  created_by: string;
};

/** Stores a provider. Returns false if the environment has one. */
export async function insertProvider(
  db: Db,
  environment_id: number,
  provider: NewProvider,
): Promise<boolean> {
  const { id, kind, account, secret_key, key_last_four, webhook_url } = provider;
  const { webhook_secret, webhook_reference, created_by } = provider;
  const { rowCount } = await db.query(
    `insert into payment_providers (environment_id, id, kind, account, secret_key, key_last_four, webhook_url,
       webhook_secret, webhook_secret_set_at, webhook_reference, created_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, case when $8::bytea is not null then date_trunc('milliseconds', now()) end,
       $9, $10)
     on conflict (environment_id) where deleted_at is null do nothing`,
    [
      environment_id,
      id,
      kind,
      account,
      secret_key,
      key_last_four,
      webhook_url,
      webhook_secret,
      webhook_reference,
      created_by,
    ],
  );
  return rowCount === 1;
}

/** Another key of the same account. Returns false if the provider is deleted. */
export async function replaceKey(
  db: Db,
  environment_id: number,
  { id, secret_key, key_last_four }: { id: string; secret_key: Buffer; key_last_four: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_providers set secret_key = $3, key_last_four = $4, status = 'active', status_reason = null
     where environment_id = $1 and id = $2 and deleted_at is null`,
    [environment_id, id, secret_key, key_last_four],
  );
  return rowCount === 1;
}

/** Another secret of its events. The one until now stays valid. Returns false if the provider is deleted. */
export async function replaceWebhookSecret(
  db: Db,
  environment_id: number,
  { id, webhook_secret }: { id: string; webhook_secret: Buffer },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_providers set previous_webhook_secret = webhook_secret, webhook_secret = $3,
       webhook_secret_set_at = date_trunc('milliseconds', now())
     where environment_id = $1 and id = $2 and deleted_at is null`,
    [environment_id, id, webhook_secret],
  );
  return rowCount === 1;
}

/** Marks a provider as deleted, without its secrets. Returns false if there is none. */
export async function markProviderDeleted(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_providers set deleted_at = date_trunc('milliseconds', now()), secret_key = null,
       webhook_secret = null, previous_webhook_secret = null
     where environment_id = $1 and id = $2 and deleted_at is null`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Keeps a provider from being deleted until the transaction ends. Returns false if it is deleted. */
export async function lockProvider(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'select from payment_providers where environment_id = $1 and id = $2 and deleted_at is null for share',
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Whether a charge or a refund of the provider is under way; a page that was paid by a debit of days is a charge. */
export async function hasOpenCharges(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>(
    `select exists (select from payment_attempts a
       where a.environment_id = $1 and a.provider_id = $2 and ${IS_OPEN})
       or exists (select from payment_pages
       where environment_id = $1 and provider_id = $2 and status = 'open' and intent_reference is not null)
       or exists (select from payment_refunds f
       where f.environment_id = $1 and f.provider_id = $2 and f.status = 'pending' and f.provider_reference is null) as has`,
    [environment_id, id],
  );
  return rows[0]!.has;
}

/** Notes whether the provider takes the key, in its words if it does not. Changes nothing where that is known. */
export async function noteProviderStatus(
  db: Db,
  { environment_id, id, secret_key }: ProviderAccess,
  status_reason: string | null,
): Promise<void> {
  await db.query(
    `update payment_providers set status_reason = $4,
       status = case when $4::text is null then 'active' else 'failing' end
     where environment_id = $1 and id = $2 and secret_key = $3 and status_reason is distinct from $4`,
    [environment_id, id, secret_key, status_reason],
  );
}

/** Replaces secrets by their text under another key. Changes nothing if they have changed meanwhile. */
export async function replaceSealedSecrets(
  db: Db,
  { environment_id, id, secret_key }: ProviderAccess,
  sealed: { secret_key: Buffer; webhook_secret: Buffer | null; previous_webhook_secret: Buffer | null },
): Promise<void> {
  await db.query(
    `update payment_providers set secret_key = $4, webhook_secret = $5, previous_webhook_secret = $6
     where environment_id = $1 and id = $2 and secret_key = $3`,
    [
      environment_id,
      id,
      secret_key,
      sealed.secret_key,
      sealed.webhook_secret,
      sealed.previous_webhook_secret,
    ],
  );
}
