import type { Db } from '../connection/pool.ts';

/** The owner of an event: `customer_key` is stored in the event's row, `external_id` appears in responses. */
export type CustomerKey = { customer_key: bigint; external_id: string };

export type CustomerName = { environment_id: number; customer_id: string };

export type CustomerKeys = {
  /** Customers by `external_id` or `cus_` id, in the order of `names`; undefined for an unknown name. */
  resolve: (db: Db, names: readonly CustomerName[]) => Promise<(CustomerKey | undefined)[]>;
  /** Looks these up anew the next time, because their customers were deleted. */
  forget: (names: readonly CustomerName[]) => void;
};

/**
 * Cache of at most twice `size` customers, in two generations: when the younger is full, entries not used since the
 * last swap are dropped. Caches existing customers only, whose ids never change. An entry may be that of a customer
 * that was deleted since: the statements that store events refuse it (decision 30), and the caller forgets it.
 */
export function createCustomerKeys(size = 50_000): CustomerKeys {
  let recent = new Map<number, Map<string, CustomerKey>>();
  let older = recent;
  let remembered = 0;

  function remember({ environment_id, customer_id }: CustomerName, customer: CustomerKey): CustomerKey {
    if (remembered >= size) [recent, older, remembered] = [new Map(), recent, 0];
    let customers = recent.get(environment_id);
    if (customers === undefined) recent.set(environment_id, (customers = new Map()));
    customers.set(customer_id, customer);
    remembered++;
    return customer;
  }

  function recall(name: CustomerName): CustomerKey | undefined {
    const customer = recent.get(name.environment_id)?.get(name.customer_id);
    if (customer !== undefined) return customer;
    const again = older.get(name.environment_id)?.get(name.customer_id);
    return again && remember(name, again);
  }

  return {
    forget(names) {
      for (const { environment_id, customer_id } of names)
        for (const generation of [recent, older]) generation.get(environment_id)?.delete(customer_id);
    },
    async resolve(db, names) {
      const customers = names.map(recall);
      if (!customers.includes(undefined)) return customers;
      const missing = names.filter((_, at) => customers[at] === undefined);
      const read = new Map((await findCustomers(db, missing)).map((row) => [nameOf(row), row]));
      return names.map((name, at) => {
        if (customers[at] !== undefined) return customers[at];
        const row = read.get(nameOf(name));
        return row && remember(name, { customer_key: BigInt(row.key), external_id: row.external_id });
      });
    },
  };
}

function nameOf({ environment_id, customer_id }: CustomerName): string {
  return `${environment_id} ${customer_id}`;
}

/** An external_id never begins with `cus_`, so a name matches one customer at most. */
async function findCustomers(
  db: Db,
  names: readonly CustomerName[],
): Promise<(CustomerName & { key: string; external_id: string })[]> {
  const { rows } = await db.query<CustomerName & { key: string; external_id: string }>({
    name: 'find-customers-of-events',
    text: `with names as (
        select distinct environment_id, customer_id
        from unnest($1::integer[], $2::text[]) as n(environment_id, customer_id))
      select n.environment_id, n.customer_id, c.key, c.external_id
      from names n join customers c on c.environment_id = n.environment_id and c.external_id = n.customer_id
      union all
      select n.environment_id, n.customer_id, c.key, c.external_id
      from names n join customers c on c.environment_id = n.environment_id and c.id = n.customer_id`,
    values: [names.map((name) => name.environment_id), names.map((name) => name.customer_id)],
  });
  return rows;
}
