import Stripe from 'stripe';
import type { EventAt } from './stripe-objects.ts';
import { nowSeconds, type StripeState } from './stripe-state.ts';

/** Where events go, and how: in order, reversed, or each twice; `age_seconds` is how long ago they are signed. */
export type Delivery = {
  url: string;
  secret: string;
  order?: 'in_order' | 'reversed';
  times?: number;
  age_seconds?: number;
};

/** Posts the events that wait, and keeps none of them. */
export async function postEvents(state: StripeState, to: Delivery): Promise<number[]> {
  const { order = 'in_order', times = 1 } = to;
  const waiting = state.events;
  state.events = [];
  const ordered = order === 'reversed' ? waiting.toReversed() : waiting;
  const statuses: number[] = [];
  for (const event of ordered)
    for (let time = 0; time < times; time++) statuses.push(await postEvent(event, to));
  return statuses;
}

/** Posts one event; returns the status of the answer. */
export async function postEvent(
  event: EventAt | object,
  { url, secret, age_seconds = 0 }: Delivery,
): Promise<number> {
  const payload = JSON.stringify(event);
  const signature = signatureOf(payload, { secret, age_seconds });
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Stripe-Signature': signature };
  const response = await fetch(url, { method: 'POST', headers, body: payload });
  await response.arrayBuffer();
  return response.status;
}

/** The header with which Stripe signs a body. */
export function signatureOf(
  payload: string,
  { secret, age_seconds = 0 }: { secret: string; age_seconds?: number },
): string {
  const stripe = new Stripe('sk_test_unused');
  return stripe.webhooks.generateTestHeaderString({
    payload,
    secret,
    timestamp: nowSeconds() - age_seconds,
  });
}
