import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { call, forEvery } from '../../bench/client.ts';
import type { Api } from '../../bench/programs.ts';
import { untilItSucceeds, type Failures } from '../../bench/soak/persistence.ts';
import { numbersBelow, waitUntil } from '../../bench/waiting.ts';
import type { Pool } from '../../src/db/connection/pool.ts';

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const CLOSE_LIMIT_MS = 900_000;

/** Live customers, each with a subscription to the same daily plan, whose second period ends at `ends_at`. The first ended a day earlier. */
export type Group = { prefix: string; customers: readonly string[]; ends_at: string };

/** Requests that are repeated until they succeed, each to the next API in turn. */
export type Client = {
  post: <Answer>(path: string, body: object) => Promise<Answer>;
  /** The acknowledged calls, as they were sent, with the id that each got. */
  calls: (Call & { id: string })[];
  /** Causes of repeated requests, with their count. */
  repeated: Failures;
};

type Call = { event_name: string; customer_id: string; timestamp: string; idempotency_key: string };

export function clientOf(apis: () => readonly Api[]): Client {
  const repeated: Failures = new Map();
  let requests = 0;
  return {
    repeated,
    calls: [],
    post: async <Answer>(path: string, body: object) => {
      const headers = { 'idempotency-key': randomUUID() };
      const next = () => apis()[requests++ % apis().length]!;
      const { result } = await untilItSucceeds(() => call<Answer>(next(), path, body, headers), repeated);
      return result;
    },
  };
}

/** A daily plan that bills each call with 1.00. */
export function createCallsPlan({ post }: Client): Promise<{ id: string }> {
  const charges = [{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '1.00' }];
  return post('pricing-plans', { name: 'Calls', interval: 'day', charges });
}

/** Subscribes `count` new customers with `calls` calls each in the period that ended a day before `ends_at`. */
export async function subscribeGroup(
  client: Client,
  { prefix, count, calls, plan_id, ends_at }: GroupWanted,
): Promise<Group> {
  const customers = numbersBelow(count).map((number) => `${prefix}-${number}`);
  const start_at = Date.parse(ends_at) - 2 * DAY_MS;
  await forEvery(customers, (external_id) => client.post('customers', { external_id }));
  const group = { prefix, customers, ends_at };
  await sendCalls(client, group, { calls, hours_before_end: 47 });
  const start_date = new Date(start_at).toISOString();
  await forEvery(customers, (customer_id) =>
    client.post('subscriptions', { customer_id, plan_id, start_date }),
  );
  return group;
}

type GroupWanted = { prefix: string; count: number; calls: number; plan_id: string; ends_at: string };

/** Sends calls of each customer: from 25 to 47 hours before the end, they belong to the first period, and are late. */
export async function sendCalls(
  client: Client,
  { customers, ends_at }: Group,
  { calls, hours_before_end }: { calls: number; hours_before_end: number },
): Promise<void> {
  const timestamp = new Date(Date.parse(ends_at) - hours_before_end * HOUR_MS).toISOString();
  const calls_sent = customers.flatMap((customer_id) =>
    numbersBelow(calls).map(() => ({
      event_name: 'call',
      customer_id,
      timestamp,
      idempotency_key: `${customer_id}-${randomUUID()}`,
    })),
  );
  await send(client, calls_sent);
}

/** Sends calls, or sends them again. */
export async function send(client: Client, calls: readonly Call[]): Promise<void> {
  const { events } = await client.post<{ events: { id: string }[] }>('events/batch', { events: calls });
  client.calls.push(...calls.map((call, at) => ({ ...call, id: events[at]!.id })));
}

/** Waits until every subscription of the group has an issued invoice for the period that ends at `ends_at`. */
export async function waitForInvoices(
  pool: Pool,
  { customers, prefix }: Group,
  ends_at: string,
): Promise<void> {
  await waitUntil(`billing ${prefix}`, CLOSE_LIMIT_MS, async () => {
    const { rows } = await pool
      .query<{ count: number }>(
        `select count(*)::integer as count from invoices i join customers c on c.id = i.customer_id
         where c.external_id = any($1) and i.period_end = $2 and i.number is not null`,
        [customers, ends_at],
      )
      .catch(() => ({ rows: [{ count: 0 }] }));
    return rows[0]!.count === customers.length;
  });
}

/** The instant of the end of the group's first period. */
export function firstEnd({ ends_at }: Group): string {
  return new Date(Date.parse(ends_at) - DAY_MS).toISOString();
}

export function sleepUntil(instant: string, before_ms = 0): Promise<void> {
  return delay(Math.max(0, Date.parse(instant) - before_ms - Date.now()));
}

/** Bills everything that the customers of the groups have used until now. */
export async function closeNow(client: Client, pool: Pool, groups: readonly Group[]): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `select s.id from subscriptions s join customers c on c.id = s.customer_id where c.external_id = any($1)`,
    [groups.flatMap(({ customers }) => customers)],
  );
  await forEvery(rows, ({ id: subscription_id }) =>
    client.post('invoices/generate', { subscription_id, close_now: true }),
  );
}

/** Customers of the groups whose invoices do not add up to `calls` calls of 1.00 each: external id, calls, total. */
export async function wronglyBilled(pool: Pool, groups: readonly Group[], calls: number): Promise<string[]> {
  const { rows } = await pool.query<{ external_id: string; quantity: string; total: string }>(
    `select c.external_id, coalesce(sum(quantity), 0)::text as quantity, coalesce(sum(i.total), 0)::text as total
     from customers c
     left join lateral (
       select i.id, i.total, (select sum(l.quantity) from line_items l where l.invoice_id = i.id) as quantity
       from invoices i where i.customer_id = c.id and i.status <> 'void') as i on true
     where c.external_id = any($1)
     group by c.external_id having coalesce(sum(quantity), 0) <> $2 or coalesce(sum(i.total), 0) <> $2
     order by c.external_id`,
    [groups.flatMap(({ customers }) => customers), calls],
  );
  return rows.map(({ external_id, quantity, total }) => `${external_id}: ${quantity} calls, ${total}`);
}
