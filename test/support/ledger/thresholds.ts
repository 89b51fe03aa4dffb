import { rollUp } from '../../../src/db/reports/roll-up.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { billThresholds } from '../../../worker/thresholds.ts';
import * as given from './billing.ts';

const HOUR_MS = 3_600_000;

/** An instant in the past. */
export function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

export type Member = { customer: given.TestCustomer; subscription_id: string };

/** A live subscription that began three hours ago and is billed at an amount, by real time. */
export async function aMember(pool: Pool, plan_id: string, bill_at: string | null = '100'): Promise<Member> {
  const customer = await given.aCustomer(pool);
  const subscription_id = await given.aSubscription(pool, customer, plan_id, hoursAgo(3));
  await pool.query('update subscriptions set bill_at = $2 where id = $1', [subscription_id, bill_at]);
  return { customer, subscription_id };
}

/** Usage of a customer, an hour ago. */
export function post(
  pool: Pool,
  { customer }: Member,
  count: number,
  properties: object = {},
): Promise<void> {
  const timestamp = hoursAgo(1);
  return given.post(
    pool,
    customer,
    Array.from({ length: count }, () => ({ timestamp, properties })),
  );
}

/** Rolls up, and looks as a worker does. Returns the subscriptions that were nudged, and what was reported. */
export async function look(pool: Pool): Promise<{ nudged: string[]; reported: object[] }> {
  const nudged: string[] = [];
  const reported: object[] = [];
  const temporal = {
    nudge: async (keys: readonly { subscription_id: string }[]) =>
      nudged.push(...keys.map(({ subscription_id }) => subscription_id)),
  };
  const report = (_: string, cause: object) => void reported.push(cause);
  const services = { pool, temporal, settings: given.NO_GRACE, report };
  while (await rollUp(pool));
  while (await billThresholds(services, new AbortController().signal));
  return { nudged, reported };
}

/** "open 100.00 threshold": the invoices of a subscription, oldest first. */
export async function billsOf(pool: Pool, { subscription_id }: Member): Promise<string[]> {
  const { rows } = await pool.query<{ bill: string }>(
    `select concat_ws(' ', status, subtotal, cause) as bill from invoices where subscription_id = $1 order by id`,
    [subscription_id],
  );
  return rows.map(({ bill }) => bill);
}

/** Minutes until a subscription is looked at; null if no look waits. */
export async function waitOf(pool: Pool, { subscription_id }: Member): Promise<number | null> {
  const { rows } = await pool.query<{ minutes: number }>(
    `select round(extract(epoch from look_at - now()) / 60)::integer as minutes from threshold_looks
     where subscription_id = $1`,
    [subscription_id],
  );
  return rows[0]?.minutes ?? null;
}
