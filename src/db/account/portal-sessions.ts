import { newId } from '../../keys/ids.ts';
import type { PortalSession } from '../../objects/portal-session.ts';
import type { Db } from '../connection/pool.ts';

/** The customer of a portal link, by both ids. */
export type PortalCustomer = { id: string; external_id: string };

/** Who reads by a portal link. */
export type PortalCaller = {
  id: string;
  environment_id: number;
  livemode: boolean;
  customer: PortalCustomer;
};

/** Time for which links stay after their end; each new link deletes some of the older ones. */
const KEPT_DAYS = 1;
const DELETED_MAX = 100;

const SELECT = `
  select p.id, 'portal_session' as object, n.livemode, p.created_at, c.external_id as customer_id, p.expires_at,
    p.revoked_at, p.created_by, n.logo_sha256,
    exists (select from payment_providers v where v.environment_id = p.environment_id and v.deleted_at is null)
      as saves_payment_methods
  from portal_sessions p join environments n on n.id = p.environment_id
    join customers c on c.environment_id = p.environment_id and c.id = p.customer_id`;

/** SQL: the link `p` can be used. */
const IS_RUNNING = 'p.revoked_at is null and p.expires_at > now()';

/**
 * Stores the hash of a link, and returns its id and the customer's `cus_` id; null if there is no such customer.
 * `customer_id` is the external id or our `cus_` id. A deletion of the customer waits, or is waited for; billing is not
 * held up.
 */
export async function insertPortalSession(
  db: Db,
  environment_id: number,
  session: { customer_id: string; token_hash: Buffer; minutes: number; created_by: string },
): Promise<{ id: string; customer_id: string } | null> {
  await db.query(
    `delete from portal_sessions where (environment_id, id) in (
       select environment_id, id from portal_sessions where expires_at < now() - interval '${KEPT_DAYS} days'
       order by expires_at limit ${DELETED_MAX} for update skip locked)`,
  );
  const id = newId('ps');
  const { customer_id, token_hash, minutes, created_by } = session;
  const { rows } = await db.query<{ id: string; customer_id: string }>(
    `insert into portal_sessions (environment_id, id, customer_id, token_hash, created_by, expires_at)
     select c.environment_id, $3, c.id, $4, $5, date_trunc('milliseconds', now()) + make_interval(mins => $6)
     from customers c where c.environment_id = $1 and (c.external_id = $2 or c.id = $2) for key share
     returning id, customer_id`,
    [environment_id, customer_id, id, token_hash, created_by, minutes],
  );
  return rows[0] ?? null;
}

/** A link by id, whether it can be used or not; null if there is none. */
export async function findPortalSession(
  db: Db,
  environment_id: number,
  id: string,
): Promise<PortalSession | null> {
  const { rows } = await db.query<PortalSession>(`${SELECT} where p.environment_id = $1 and p.id = $2`, [
    environment_id,
    id,
  ]);
  return rows[0] ?? null;
}

/** Links that can be used, newest first. `customer_id` is the external id or our `cus_` id. */
export async function listPortalSessions(
  db: Db,
  environment_id: number,
  { customer_id, before, limit }: { customer_id: string | null; before: string | null; limit: number },
): Promise<PortalSession[]> {
  const { rows } = await db.query<PortalSession>(
    `${SELECT} where p.environment_id = $1 and ${IS_RUNNING}
       and ($2::text is null or c.external_id = $2 or c.id = $2) and ($3::text is null or p.id < $3)
     order by p.id desc limit $4`,
    [environment_id, customer_id, before, limit],
  );
  return rows;
}

/** Ends a link; every process refuses it from then on. Returns false if there is none with this id that can be used. */
export async function revokePortalSession(db: Db, environment_id: number, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update portal_sessions p set revoked_at = date_trunc('milliseconds', now())
     where p.environment_id = $1 and p.id = $2 and ${IS_RUNNING}`,
    [environment_id, id],
  );
  return rowCount === 1;
}

/** Ends all links of a customer, by its `cus_` id. */
export async function revokePortalSessionsOf(
  db: Db,
  environment_id: number,
  customer_id: string,
): Promise<void> {
  await db.query(
    `update portal_sessions p set revoked_at = date_trunc('milliseconds', now())
     where p.environment_id = $1 and p.customer_id = $2 and ${IS_RUNNING}`,
    [environment_id, customer_id],
  );
}

/** The reader by the link whose token has this hash; null if the link is unknown, over or revoked. */
export async function findPortalCaller(db: Db, token_hash: Buffer): Promise<PortalCaller | null> {
  const { rows } = await db.query<PortalCaller>(
    `select p.id, p.environment_id, n.livemode, json_build_object('id', c.id, 'external_id', c.external_id) as customer
     from portal_sessions p join environments n on n.id = p.environment_id
       join customers c on c.environment_id = p.environment_id and c.id = p.customer_id
     where p.token_hash = $1 and ${IS_RUNNING}`,
    [token_hash],
  );
  return rows[0] ?? null;
}
