import type { Db } from './pool.ts';

/** Whom an event belongs to: the number that its row carries, and the name that answers give. */
export type CustomerKey = { customer_key: bigint; external_id: string };

export type CustomerName = { environment_id: number; customer_id: string };

export type CustomerKeys = {
  /** The customers by `external_id` or `cus_` id, in the order asked; undefined where there is none. */
  resolve: (db: Db, names: readonly CustomerName[]) => Promise<(CustomerKey | undefined)[]>;
};

/**
 * Remembers customers, at most twice `size` of them. Only those that exist: they are never deleted and neither id changes, so
 * that nothing here can become wrong. When one generation is full, what was not used since the last change is forgotten.
 */
export function createCustomerKeys(size = 50_000): CustomerKeys {
  let recent = new Map<string, CustomerKey>();
  let older = new Map<string, CustomerKey>();

  function remember(name: string, customer: CustomerKey): CustomerKey {
    if (recent.size >= size) [recent, older] = [new Map(), recent];
    recent.set(name, customer);
    return customer;
  }

  function recall(name: string): CustomerKey | undefined {
    const found = recent.get(name);
    if (found !== undefined) return found;
    const again = older.get(name);
    return again && remember(name, again);
  }

  return {
    async resolve(db, names) {
      const found = names.map((name) => recall(nameOf(name)));
      const missing = names.filter((_, at) => found[at] === undefined);
      if (missing.length === 0) return found;
      const read = new Map((await findCustomers(db, missing)).map((row) => [nameOf(row), row]));
      return names.map((name, at) => {
        if (found[at] !== undefined) return found[at];
        const row = read.get(nameOf(name));
        return row && remember(nameOf(name), { customer_key: BigInt(row.key), external_id: row.external_id });
      });
    },
  };
}

function nameOf({ environment_id, customer_id }: CustomerName): string {
  return `${environment_id}\0${customer_id}`;
}

/** No external_id begins with `cus_`, so that a name means one customer. */
async function findCustomers(
  db: Db,
  names: readonly CustomerName[],
): Promise<(CustomerName & { key: string; external_id: string })[]> {
  const { rows } = await db.query<CustomerName & { key: string; external_id: string }>({
    name: 'find-customers-of-events',
    text: `with names as (select distinct environment_id, customer_id from unnest($1::integer[], $2::text[]) as n(environment_id, customer_id))
      select n.environment_id, n.customer_id, c.key, c.external_id
      from names n join customers c on c.environment_id = n.environment_id and c.external_id = n.customer_id
      union all
      select n.environment_id, n.customer_id, c.key, c.external_id
      from names n join customers c on c.environment_id = n.environment_id and c.id = n.customer_id`,
    values: [names.map((name) => name.environment_id), names.map((name) => name.customer_id)],
  });
  return rows;
}
