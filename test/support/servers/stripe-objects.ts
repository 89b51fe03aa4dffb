/** Objects of the stand-in of Stripe, with the members of the real ones that a client reads. */

type Of<Name extends string> = { id: string; object: Name; created: number; livemode: boolean };

export type Card = { brand: string; last4: string; exp_month: number; exp_year: number };

export type CustomerAt = Of<'customer'> & {
  name: string | null;
  email: string | null;
  metadata: Record<string, string>;
};

export type MethodAt = Of<'payment_method'> & {
  type: string;
  customer: string | null;
  card?: Card;
  sepa_debit?: { last4: string };
};

export type SetupAt = Of<'setup_intent'> & {
  customer: string;
  payment_method: string | null;
  status: 'requires_payment_method' | 'processing' | 'succeeded';
  usage: 'off_session';
};

export type PageAt = Of<'checkout.session'> & {
  mode: 'setup' | 'payment';
  customer: string;
  currency: string;
  url: string | null;
  success_url: string;
  cancel_url: string;
  expires_at: number;
  status: 'open' | 'complete' | 'expired';
  setup_intent: string | null;
  payment_intent: string | null;
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  amount_total: number | null;
  metadata: Record<string, string>;
};

/** A page with what its intent gets once the payer pays, which no answer of Stripe has. */
export type PayingPage = { amount: number; metadata: Record<string, string>; saves: boolean };

export type FaultAt = {
  type: string;
  code: string;
  message: string;
  decline_code?: string;
  advice_code?: string;
  charge?: string;
};

export type IntentAt = Of<'payment_intent'> & {
  amount: number;
  amount_received: number;
  currency: string;
  customer: string | null;
  payment_method: string | null;
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'canceled';
  description: string | null;
  metadata: Record<string, string>;
  last_payment_error: FaultAt | null;
  latest_charge: string | null;
  canceled_at: number | null;
};

export type RefundAt = Of<'refund'> & {
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  reason: string | null;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  metadata: Record<string, string>;
};

export type DisputeAt = Of<'dispute'> & {
  amount: number;
  currency: string;
  charge: string;
  payment_intent: string;
  reason: string;
  status:
    | 'warning_needs_response'
    | 'warning_under_review'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost';
};

export type EndpointAt = Of<'webhook_endpoint'> & {
  url: string;
  status: 'enabled';
  enabled_events: string[];
  secret: string;
};

export type ObjectAt =
  CustomerAt | MethodAt | SetupAt | PageAt | IntentAt | RefundAt | DisputeAt | EndpointAt;

/** An event as it is posted. */
export type EventAt = {
  id: string;
  object: 'event';
  api_version: string;
  created: number;
  livemode: boolean;
  pending_webhooks: number;
  request: { id: null; idempotency_key: null };
  type: string;
  data: { object: ObjectAt };
};

/** An answer of the stand-in that is an error. */
export class Refused extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, error: { type: string; message: string; [member: string]: unknown }) {
    super(error.message);
    this.status = status;
    this.body = { error };
  }
}

export function invalidRequest(message: string, code?: string, more: object = {}): Refused {
  return new Refused(400, {
    type: 'invalid_request_error',
    message,
    ...(code === undefined ? {} : { code }),
    ...more,
  });
}
