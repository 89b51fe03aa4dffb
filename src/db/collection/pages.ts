import type { Db } from '../connection/pool.ts';

/** A page on which a method is saved, and which is made at the provider next. */
export type NewPage = { id: string; customer_id: string; provider_id: string; created_by: string };

/** Pages of a customer that were made in the last hour. The result is true while the caller holds its lock. */
export async function countPages(db: Db, environment_id: number, customer_id: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from payment_pages
     where environment_id = $1 and customer_id = $2 and created_at > now() - interval '1 hour'`,
    [environment_id, customer_id],
  );
  return rows[0]!.count;
}

/** Stores a page before it is made. Without an answer of the provider it ends after a day. */
export async function insertPage(db: Db, environment_id: number, page: NewPage): Promise<void> {
  const { id, customer_id, provider_id, created_by } = page;
  await db.query(
    `insert into payment_pages (environment_id, id, customer_id, provider_id, created_by, expires_at, next_read_at)
     values ($1, $2, $3, $4, $5, date_trunc('milliseconds', now() + interval '1 day'), now() + interval '1 day')`,
    [environment_id, id, customer_id, provider_id, created_by],
  );
}

/**
 * Stores where the provider has made a page, which is read each hour from then on, and at its end. Returns false for
 * one that has ended meanwhile, whose address nobody may get.
 */
export async function notePageMade(
  db: Db,
  environment_id: number,
  { id, ...made }: { id: string; reference: string; url: string; expires_at: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update payment_pages set reference = $3, url = $4, expires_at = $5::timestamptz,
       next_read_at = least(now() + interval '1 hour', $5::timestamptz)
     where environment_id = $1 and id = $2 and status = 'open' and coalesce(reference, $3) = $3`,
    [environment_id, id, made.reference, made.url, made.expires_at],
  );
  return rowCount === 1;
}

/** A page, by its key and its id at the provider, which is null before the provider has said that it made it. */
export type PageKey = { environment_id: number; id: string; reference: string | null };

/** A page on which a method is saved, and which is read at the provider now. */
export type DuePage = PageKey & {
  provider_id: string;
  customer_id: string;
  /** The provider has not ended it for ten days: a bank account takes days to be confirmed. */
  is_given_up: boolean;
};

/** Pages on which methods are saved whose turn it is, the oldest first. */
export async function duePages(db: Db, limit: number): Promise<DuePage[]> {
  const { rows } = await db.query<DuePage>(
    `select environment_id, id, provider_id, customer_id, reference,
       created_at < now() - interval '10 days' as is_given_up
     from payment_pages
     where next_read_at <= now() and invoice_id is null order by next_read_at limit $1`,
    [limit],
  );
  return rows;
}

/** Has an open page read at once. */
export async function wakePage(
  db: Db,
  environment_id: number,
  { provider_id, reference }: { provider_id: string; reference: string },
): Promise<void> {
  await db.query(
    `update payment_pages set next_read_at = now()
     where environment_id = $1 and provider_id = $2 and reference = $3 and status = 'open'`,
    [environment_id, provider_id, reference],
  );
}

/** Ends a page without a payment, unless the provider has said meanwhile that it made it. */
export async function endPage(
  db: Db,
  { environment_id, id, reference }: PageKey,
  status: 'complete' | 'expired',
): Promise<void> {
  await db.query(
    `update payment_pages set status = $3, next_read_at = null
     where environment_id = $1 and id = $2 and status = 'open' and reference is not distinct from $4`,
    [environment_id, id, status, reference],
  );
}

/** Has an open page read again after some seconds. */
export async function putOffPage(db: Db, { environment_id, id }: PageKey, seconds: number): Promise<void> {
  await db.query(
    `update payment_pages set next_read_at = now() + make_interval(secs => $3)
     where environment_id = $1 and id = $2 and status = 'open'`,
    [environment_id, id, seconds],
  );
}

/**
 * Ends the open pages of a provider that is deleted, or those of a customer that is erased on which methods are saved:
 * its other ones are closed at the provider first (closePagesOf).
 */
export async function endPagesOf(
  db: Db,
  environment_id: number,
  { provider_id = null, customer_id = null }: { provider_id?: string | null; customer_id?: string | null },
): Promise<void> {
  await db.query(
    `update payment_pages set status = 'expired', next_read_at = null
     where environment_id = $1 and status = 'open'
       and (provider_id = $2 or customer_id = $3 and invoice_id is null)`,
    [environment_id, provider_id, customer_id],
  );
}
