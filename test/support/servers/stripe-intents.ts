import { textIn, textsIn, type Form } from './stripe-form.ts';
import { invalidRequest, Refused, type IntentAt } from './stripe-objects.ts';
import { listOf } from './stripe-refunds.ts';
import type { Behaviour, StripeState } from './stripe-state.ts';

const LEAST = 50;

export function createIntent(state: StripeState, form: Form, livemode: boolean): IntentAt {
  const customer = textIn(form, 'customer');
  const payment_method = textIn(form, 'payment_method');
  if (customer !== null) state.get('customer', customer);
  if (payment_method !== null) checkMethod(state, { payment_method, customer });
  const intent = state.add<IntentAt>(
    {
      object: 'payment_intent',
      livemode,
      amount: amountIn(form),
      amount_received: 0,
      currency: textIn(form, 'currency') ?? '',
      customer,
      payment_method,
      status: payment_method === null ? 'requires_payment_method' : 'requires_confirmation',
      description: textIn(form, 'description'),
      metadata: textsIn(form, 'metadata'),
      last_payment_error: null,
      latest_charge: null,
      canceled_at: null,
    },
    'pi',
  );
  state.tell('payment_intent.created', intent);
  return intent;
}

export function listIntents(state: StripeState, form: Form) {
  const customer = textIn(form, 'customer');
  const all = state
    .all('payment_intent')
    .filter((intent) => customer === null || intent.customer === customer);
  return listOf(all, form, '/v1/payment_intents');
}

export function updateIntent(intent: IntentAt, form: Form): IntentAt {
  refuseUnless(intent, ['requires_payment_method', 'requires_confirmation', 'requires_action'], 'update');
  if (textIn(form, 'amount') !== null) intent.amount = amountIn(form);
  Object.assign(intent.metadata, textsIn(form, 'metadata'));
  intent.last_payment_error = null;
  return intent;
}

export function confirmIntent(state: StripeState, intent: IntentAt, form: Form): IntentAt {
  refuseUnless(intent, ['requires_payment_method', 'requires_confirmation'], 'confirm');
  const { payment_method, customer } = intent;
  if (payment_method === null)
    throw invalidRequest(
      "You cannot confirm this PaymentIntent because it's missing a payment method.",
      'payment_intent_unexpected_state',
      { payment_intent: intent },
    );
  checkMethod(state, { payment_method, customer });
  const behaviour = state.behaviours.get(payment_method) ?? 'succeeds';
  if (behaviour === 'succeeds' || isEnough(state, intent, behaviour)) state.charge(intent);
  else if (behaviour === 'processing') {
    intent.status = 'processing';
    state.tell('payment_intent.processing', intent);
  } else if (behaviour === 'authentication_required' && textIn(form, 'off_session') !== 'true') {
    intent.status = 'requires_action';
    state.tell('payment_intent.requires_action', intent);
  } else {
    const declined = typeof behaviour === 'string' ? { code: behaviour } : declineIn(behaviour);
    state.decline(intent, declined);
    throw new Refused(402, { ...intent.last_payment_error!, payment_intent: structuredClone(intent) });
  }
  return intent;
}

/** Whether a method has declined an invoice as often as it does; counts one more time otherwise. */
function isEnough(state: StripeState, { payment_method, metadata }: IntentAt, behaviour: Behaviour): boolean {
  if (typeof behaviour === 'string' || behaviour.times === undefined) return false;
  const place = `${payment_method} ${metadata['invoice_id']}`;
  const declined = state.declines.get(place) ?? 0;
  if (declined === behaviour.times) return true;
  state.declines.set(place, declined + 1);
  return false;
}

export function cancelIntent(state: StripeState, intent: IntentAt): IntentAt {
  if (state.pageOfIntent(intent.id) !== undefined)
    throw invalidRequest(
      'You cannot cancel PaymentIntents created by Checkout. Expire the Checkout Session instead.',
    );
  refuseUnless(intent, ['requires_payment_method', 'requires_confirmation', 'requires_action'], 'cancel');
  // What the last confirmation said is gone, the worst that may happen to a client that reads it late.
  Object.assign(intent, { status: 'canceled', canceled_at: intent.created, last_payment_error: null });
  state.tell('payment_intent.canceled', intent);
  return intent;
}

function declineIn({ declined, advice_code }: { declined: string; advice_code?: string }) {
  return { code: declined, ...(advice_code === undefined ? {} : { advice_code }) };
}

function amountIn(form: Form): number {
  const text = textIn(form, 'amount') ?? '';
  if (!/^\d+$/.test(text)) throw invalidRequest(`Invalid integer: ${text}`, 'parameter_invalid_integer');
  if (Number(text) < LEAST && textIn(form, 'currency') !== 'jpy')
    throw invalidRequest('Amount must be at least €0.50 eur', 'amount_too_small', { param: 'amount' });
  return Number(text);
}

function checkMethod(
  state: StripeState,
  { payment_method, customer }: { payment_method: string; customer: string | null },
): void {
  const method = state.get('payment_method', payment_method);
  if (method.customer === null)
    throw invalidRequest(
      'The provided PaymentMethod was detached from a Customer. It may not be used again.',
    );
  if (method.customer !== customer)
    throw invalidRequest('The payment method does not belong to the Customer you supplied.');
}

function refuseUnless(intent: IntentAt, statuses: readonly IntentAt['status'][], what: string): void {
  if (statuses.includes(intent.status)) return;
  throw invalidRequest(
    `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`,
    'payment_intent_unexpected_state',
    { payment_intent: structuredClone(intent) },
  );
}
