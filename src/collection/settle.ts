import { receiveMoney } from '../billing/owed/receive.ts';
import type { OpenAttemptRow } from '../db/collection/attempts.ts';
import type { Db } from '../db/connection/pool.ts';
import { endCharge } from './end-charge.ts';
import type { ProviderIntent } from './provider.ts';

/**
 * Records the payment of an intent that has charged (receiveMoney), and ends its attempt. The caller holds the lock of
 * the customer, under which it has seen that the attempt is open: there is one payment, whatever is repeated.
 */
export async function settle(
  db: Db,
  attempt: OpenAttemptRow,
  { reference, amount }: Pick<ProviderIntent, 'reference' | 'amount'>,
): Promise<void> {
  const { environment_id, id, invoice_id, customer_id } = attempt;
  const money = { customer_id, invoice_id, amount, reference, by: id };
  const received = await receiveMoney(db, environment_id, money);
  await endCharge(db, attempt, { status: 'succeeded', ...received });
}
