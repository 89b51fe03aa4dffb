import { customersWithExpiredGrants, expireGrants } from '../src/db/credit/expired-credit.ts';
import { lockCustomer } from '../src/db/customers/customers.ts';
import { isCausedByRows, transaction, type Pool } from '../src/db/connection/pool.ts';
import { REST_MS, setAside, endSetAside } from '../src/db/customers/set-aside.ts';

const CUSTOMERS_A_ROUND_MAX = 500;

/**
 * Writes off expired credit of customers that get no more invoices; for the others, issuing an invoice does it. A
 * customer for whom the write-off fails is set aside and retried later. Calls `onCustomer` after each customer.
 */
export async function writeOffExpiredGrants(
  pool: Pool,
  onCustomer: () => void,
  rest_ms = REST_MS,
): Promise<void> {
  const round = { limit: CUSTOMERS_A_ROUND_MAX, rest_ms };
  for (const customer of await customersWithExpiredGrants(pool, round)) {
    try {
      await transaction(pool, async (db) => {
        await lockCustomer(db, customer.environment_id, customer.customer_id);
        await expireGrants(db, customer.environment_id, { customers: [customer], issuing: [] });
        await endSetAside(db, 'expired_credit', customer);
      });
    } catch (error) {
      if (!isCausedByRows(error)) throw error;
      await setAside(pool, 'expired_credit', [customer], error.message);
    }
    onCustomer();
  }
}
