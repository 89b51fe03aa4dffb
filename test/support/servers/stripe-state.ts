import { randomBytes } from 'node:crypto';
import { invalidRequest } from './stripe-objects.ts';
import type {
  EndpointAt,
  EventAt,
  IntentAt,
  MethodAt,
  ObjectAt,
  PageAt,
  PayingPage,
  RefundAt,
} from './stripe-objects.ts';

const API_VERSION = '2026-10-28.endive';

/** Behaviour of a method that is charged. `processing` waits until the test says how it ends; `times` is for each invoice. */
export type Behaviour =
  | 'succeeds'
  | 'processing'
  | 'authentication_required'
  | { declined: string; advice_code?: string; times?: number };

/** A charge that took money. */
export type Charge = {
  id: string;
  intent: string;
  invoice_id: string | null;
  amount: number;
  currency: string;
};

/** All that the stand-in knows. Objects of one key's mode have its `livemode`. */
export class StripeState {
  readonly objects = new Map<string, ObjectAt>();
  readonly behaviours = new Map<string, Behaviour>();
  /** How often a method with a number of times was declined, by the method and the invoice. */
  readonly declines = new Map<string, number>();
  readonly charges: Charge[] = [];
  /** Charges of the pages on which invoices are paid, by their ids. */
  readonly paying = new Map<string, PayingPage>();
  /** Events that are not posted yet, the oldest first. */
  events: EventAt[] = [];
  /** How a refund begins. */
  refund_status: RefundAt['status'] = 'succeeded';
  /** Customers that the search finds: it is behind, as Stripe's. */
  readonly searchable = new Set<string>();

  /** Stores a new object and returns it. */
  add<Made extends ObjectAt>(made: Omit<Made, 'id' | 'created'>, prefix: string): Made {
    const id = `${prefix}_${randomBytes(12).toString('hex')}`;
    const object = { ...made, id, created: nowSeconds() } as Made;
    this.objects.set(id, object);
    return object;
  }

  /** The object of a kind. Throws as Stripe answers if there is none. */
  get<Name extends ObjectAt['object']>(name: Name, id: string): Extract<ObjectAt, { object: Name }> {
    const object = this.objects.get(id);
    if (object?.object !== name) throw invalidRequest(`No such ${name}: '${id}'`, 'resource_missing');
    return object as Extract<ObjectAt, { object: Name }>;
  }

  /** The objects of a kind, the newest first. */
  all<Name extends ObjectAt['object']>(name: Name): Extract<ObjectAt, { object: Name }>[] {
    const found = [...this.objects.values()].filter((object) => object.object === name);
    return (found as Extract<ObjectAt, { object: Name }>[]).reverse();
  }

  /** Keeps an event about an object as it is now. */
  tell(type: string, object: ObjectAt): void {
    this.events.push({
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      api_version: API_VERSION,
      created: nowSeconds(),
      livemode: object.livemode,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: null },
      type,
      data: { object: structuredClone(object) },
    });
  }

  /** Takes the money of an intent, once. */
  charge(intent: IntentAt): void {
    const id = `ch_${randomBytes(12).toString('hex')}`;
    const { invoice_id = null } = intent.metadata;
    this.charges.push({
      id,
      intent: intent.id,
      invoice_id,
      amount: intent.amount,
      currency: intent.currency,
    });
    Object.assign(intent, { status: 'succeeded', amount_received: intent.amount, latest_charge: id });
    this.tell('payment_intent.succeeded', intent);
  }

  /** Ends an intent as its method declines it. */
  decline(intent: IntentAt, { code, advice_code }: { code: string; advice_code?: string }): void {
    const is_authentication = code === 'authentication_required';
    intent.last_payment_error = {
      type: 'card_error',
      code: is_authentication ? code : 'card_declined',
      decline_code: code,
      message: is_authentication
        ? 'Your card was declined. This transaction requires authentication.'
        : 'Your card was declined.',
      charge: `ch_${randomBytes(12).toString('hex')}`,
      ...(advice_code === undefined ? {} : { advice_code }),
    };
    Object.assign(intent, { status: 'requires_payment_method', payment_method: null });
    this.tell('payment_intent.payment_failed', intent);
  }

  /** Ends the connection of a method with its customer. */
  detach(method: MethodAt): void {
    method.customer = null;
    this.tell('payment_method.detached', method);
  }

  /** The page on which an intent was paid; undefined for another intent. */
  pageOfIntent(intent: string): PageAt | undefined {
    return this.all('checkout.session').find(({ payment_intent }) => payment_intent === intent);
  }

  page(reference_or_url: string): PageAt {
    const page = this.all('checkout.session').find(
      ({ id }) => id === reference_or_url || reference_or_url.endsWith(`/${id}`),
    );
    if (page === undefined) throw new Error(`no page is ${reference_or_url}`);
    return page;
  }

  endpoints(): EndpointAt[] {
    return this.all('webhook_endpoint');
  }
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
