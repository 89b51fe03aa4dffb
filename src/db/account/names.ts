import type { Db } from '../connection/pool.ts';

type Named = { id: string; name: string };

/** The names of the customers with these external ids, by external id; customers without a name are left out. */
export async function namesOfCustomers(
  db: Db,
  environment_id: number,
  external_ids: readonly string[],
): Promise<Record<string, string>> {
  const { rows } = await db.query<Named>(
    `select external_id as id, name from customers
     where environment_id = $1 and external_id = any($2) and name is not null`,
    [environment_id, external_ids],
  );
  return byId(rows);
}

/**
 * The names of the objects with these ids, by id: of a plan its name and version, of a charge its own or that of its
 * events, of a key and of a user its name, of an invoice and a credit note its number, of a customer its name or
 * external id, of a discount its own, of a subscription the names of its customer and of its plan, of a grant its note,
 * or its units without one, and the name of its customer. Other ids, and drafts, which have no number, are left out.
 * Ids of different tables never coincide, because each kind has its own prefix.
 */
export async function namesOfObjects(
  db: Db,
  environment_id: number,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const { rows } = await db.query<Named>(
    `select id, name || coalesce(', version ' || version, '') as name from plans
     where environment_id = $1 and id = any($2)
     union all
     select id, coalesce(name, event_name) from charges where environment_id = $1 and id = any($2)
     union all
     select id, name from api_keys where environment_id = $1 and id = any($2)
     union all
     select u.id, u.name from users u join environments n on n.account_id = u.account_id
     where n.id = $1 and u.id = any($2)
     union all
     select id, full_number from invoices where environment_id = $1 and id = any($2) and full_number is not null
     union all
     select id, full_number from credit_notes where environment_id = $1 and id = any($2)
     union all
     select id, coalesce(name, external_id) from customers where environment_id = $1 and id = any($2)
     union all
     select id, name from discounts where environment_id = $1 and id = any($2)
     union all
     select s.id, coalesce(c.name, c.external_id) || ': ' || p.name || coalesce(', version ' || p.version, '')
     from subscriptions s
     join customers c on c.environment_id = s.environment_id and c.id = s.customer_id
     join plans p on p.environment_id = s.environment_id and p.id = s.plan_id
     where s.environment_id = $1 and s.id = any($2)
     union all
     select g.id, coalesce(g.note, trim_scale(g.amount) || ' units') || ', ' || coalesce(c.name, c.external_id)
     from credit_grants g join customers c on c.environment_id = g.environment_id and c.id = g.customer_id
     where g.environment_id = $1 and g.id = any($2)`,
    [environment_id, ids],
  );
  return byId(rows);
}

function byId(rows: readonly Named[]): Record<string, string> {
  return Object.fromEntries(rows.map(({ id, name }) => [id, name]));
}
