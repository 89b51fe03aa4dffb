import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../client.ts';
import type { Api } from '../programs.ts';
import { numbersBelow } from '../waiting.ts';
import { untilItSucceeds, type Failures } from './persistence.ts';

const INTERVAL_MS = 5000;
const DAYS = 5;
const DAY_MS = 86_400_000;
const EVENTS_A_DAY = 20;

/**
 * Subscribes a new customer every five seconds until the signal, with five days of usage, to a daily plan with a start five days ago:
 * five ended periods are billed beside the load. Resolves with the number of customers.
 */
export async function billMeanwhile(api: Api, repeated: Failures, stopping: AbortSignal): Promise<number> {
  const charges = [{ event_name: 'api_call_0', pricing_model: 'per_unit', unit_amount: '0.01' }];
  const post: Post = async (path, body) => {
    const headers = { 'idempotency-key': randomUUID() };
    const { result } = await untilItSucceeds(() => call<{ id: string }>(api, path, body, headers), repeated);
    return result;
  };
  const plan = await post('pricing-plans', { name: 'Soak', interval: 'day', charges });
  for (let number = 1; ; number++) {
    await subscribe(post, { customer_id: `billed-${number}`, plan_id: plan.id });
    await delay(INTERVAL_MS, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return number;
  }
}

/** Events of each billed customer, in addition to those of the senders. */
export const BILLED_EVENTS = DAYS * EVENTS_A_DAY;

type Post = (path: string, body: object) => Promise<{ id: string }>;

async function subscribe(post: Post, parties: { customer_id: string; plan_id: string }): Promise<void> {
  const start_at = Date.now() - DAYS * DAY_MS;
  await post('customers', { external_id: parties.customer_id });
  const events = numbersBelow(BILLED_EVENTS).map((number) => ({
    event_name: 'api_call_0',
    customer_id: parties.customer_id,
    idempotency_key: `${parties.customer_id}-${number}`,
    timestamp: new Date(start_at + (number * DAY_MS) / EVENTS_A_DAY).toISOString(),
  }));
  await post('events/batch', { events });
  await post('subscriptions', { ...parties, start_date: new Date(start_at).toISOString() });
}
