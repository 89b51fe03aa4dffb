import type { Db } from '../connection/pool.ts';

/** The id of a customer at a provider; null before it has one. */
export async function findReference(
  db: Db,
  environment_id: number,
  { provider_id, customer_id }: { provider_id: string; customer_id: string },
): Promise<string | null> {
  const { rows } = await db.query<{ reference: string }>(
    `select reference from provider_customers where environment_id = $1 and provider_id = $2 and customer_id = $3`,
    [environment_id, provider_id, customer_id],
  );
  return rows[0]?.reference ?? null;
}

/** Stores the id of a customer at a provider, and returns the one that is stored: the first stays. */
export async function keepReference(
  db: Db,
  environment_id: number,
  { provider_id, customer_id, reference }: { provider_id: string; customer_id: string; reference: string },
): Promise<string> {
  const { rows } = await db.query<{ reference: string }>(
    `insert into provider_customers (environment_id, provider_id, customer_id, reference) values ($1, $2, $3, $4)
     on conflict (environment_id, provider_id, customer_id) do update set reference = provider_customers.reference
     returning reference`,
    [environment_id, provider_id, customer_id, reference],
  );
  return rows[0]!.reference;
}

/** Has the provider blank what it knows of a person. */
export async function eraseAtProvider(db: Db, environment_id: number, customer_id: string): Promise<void> {
  await db.query(
    `update provider_customers k set erase_at = now() from payment_providers p
     where k.environment_id = $1 and k.customer_id = $2
       and p.environment_id = k.environment_id and p.id = k.provider_id and p.deleted_at is null`,
    [environment_id, customer_id],
  );
}

/** A customer whose name and email the provider blanks now. */
export type DueErasure = {
  environment_id: number;
  provider_id: string;
  customer_id: string;
  reference: string;
};

/** Customers whose turn it is, the oldest first. */
export async function dueErasures(db: Db, limit: number): Promise<DueErasure[]> {
  const { rows } = await db.query<DueErasure>(
    `select environment_id, provider_id, customer_id, reference from provider_customers
     where erase_at <= now() order by erase_at limit $1`,
    [limit],
  );
  return rows;
}

/** Notes that the provider has blanked a customer, or null, puts it off by some seconds. */
export async function noteErasure(
  db: Db,
  { environment_id, provider_id, customer_id }: DueErasure,
  put_off_seconds: number | null,
): Promise<void> {
  await db.query(
    `update provider_customers set erase_at = now() + make_interval(secs => $4)
     where environment_id = $1 and provider_id = $2 and customer_id = $3`,
    [environment_id, provider_id, customer_id, put_off_seconds],
  );
}

/** Gives up what is to be blanked at a provider that is deleted. */
export async function giveUpErasures(db: Db, environment_id: number, provider_id: string): Promise<void> {
  await db.query(
    `update provider_customers set erase_at = null
     where environment_id = $1 and provider_id = $2 and erase_at is not null`,
    [environment_id, provider_id],
  );
}
