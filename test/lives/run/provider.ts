import assert from 'node:assert/strict';
import { eventually } from '../../support/servers/eventually.ts';
import { signatureOf } from '../../support/servers/stripe-events.ts';
import type { EventAt } from '../../support/servers/stripe-objects.ts';
import type { ProviderCharge } from '../model/collection.ts';
import type { World } from '../model/world.ts';
import type { Provider } from './payer.ts';
import { done, type Session } from './session.ts';

/** Connects the provider of a life. */
export async function connect(session: Session): Promise<void> {
  const { secret_key, webhook_secret } = session.provider;
  const body = { kind: 'stripe', secret_key, webhook_secret };
  session.provider.id = (await done(session, '/v1/payment-providers', body)).id;
}

/** Posts the events of the customer that wait at the provider. */
export async function deliver({ request, provider }: Session): Promise<void> {
  const { stripe, id, webhook_secret: secret } = provider;
  const mine = stripe.state.events.filter((event) => isOf(provider, event));
  stripe.state.events = stripe.state.events.filter((event) => !mine.includes(event));
  for (const event of mine) {
    const body = JSON.stringify(event);
    const headers = { 'Stripe-Signature': signatureOf(body, { secret }) };
    const answer = await request(`/provider-webhooks/${id}`, { method: 'POST', key: null, headers, body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  }
}

/** Whether an event is about the customer of a life, by its customer or that of its intent. */
function isOf({ stripe, payer }: Provider, { data: { object } }: EventAt): boolean {
  if ('customer' in object && object.customer !== null) return object.customer === payer;
  if (!('payment_intent' in object) || typeof object.payment_intent !== 'string') return false;
  return stripe.state.get('payment_intent', object.payment_intent).customer === payer;
}

/** The intent of a charge, which is at the same place among those of its invoice. */
export function intentOf(
  { collection, invoices }: World,
  { provider, invoices: ids }: Session,
  charge: ProviderCharge,
) {
  const place = collection.charges.filter(({ invoice }) => invoice === charge.invoice).indexOf(charge);
  const id = ids[invoices.indexOf(charge.invoice)]!;
  return provider.stripe.chargesOf(id)[place]!.intent;
}

/** Learns the ids of payments in advance that charges and refunds have made; the ones that are missing as differences. */
export async function missingDeposits({ deposits }: World, session: Session): Promise<string[]> {
  if (deposits.length === session.deposits.length) return [];
  const { body } = await session.request(`/v1/payments?customer_id=${session.customer_id}&limit=200`);
  const ids: string[] = body.data
    .toReversed()
    .filter(({ invoice_id }: { invoice_id: string | null }) => invoice_id === null)
    .map(({ id }: { id: string }) => id);
  session.deposits.push(...ids.filter((id) => !session.deposits.includes(id)));
  const missing = deposits.length - session.deposits.length;
  return missing === 0 ? [] : [`${missing} payments in advance are missing`];
}

/** Waits until an attempt has ended, or takes days. */
export async function untilAnswered({ request }: Session, id: string, statuses: readonly string[]) {
  const read = () => request(`/v1/payment-attempts/${id}`);
  await eventually(read, ({ body }) => !statuses.includes(body.status));
}
