import type { Decline } from '../domain/collection/decline.ts';
import type { IntentStatus } from '../domain/collection/intent.ts';
import type { DisputeStatus, RefundStatus } from '../domain/collection/refund.ts';

/**
 * Acts of a payment provider for one environment. Nothing but its file in this folder knows which one it is. Each
 * function asks the provider once, without a retry: the caller stores what it is about to do, asks, and stores the
 * answer. Amounts are decimals in their currency. Throws ProviderError.
 */
export type PaymentProvider = {
  /** The account of the key and its mode. */
  readAccount(): Promise<{ account: string; livemode: boolean }>;

  /** Makes the endpoint at the provider that posts its events to `url`; its signing secret is in no later answer. */
  createWebhook(url: string): Promise<{ reference: string; secret: string }>;
  deleteWebhook(reference: string): Promise<void>;

  /** The customer at the provider, the same one however often it is asked with the same `customer_id`. */
  createCustomer(customer: {
    customer_id: string;
    name: string | null;
    email: string | null;
  }): Promise<string>;
  /** Blanks what the provider knows of a person who is erased here. */
  eraseCustomer(reference: string): Promise<void>;

  /** A page on which a customer saves a method for charges in a currency; the same one for the same `key`. */
  createMethodPage(page: {
    key: string;
    customer_reference: string;
    currency: string;
    return_url: string;
  }): Promise<{ reference: string; url: string; expires_at: string }>;
  /** `method_reference` is that of the method that was saved there. */
  readMethodPage(
    reference: string,
  ): Promise<{ status: 'open' | 'complete' | 'expired'; method_reference: string | null }>;

  /**
   * A page on which an invoice is paid; the same one for the same `key` and the same parameters. `saves_method`: what
   * pays is saved for later charges.
   */
  createPaymentPage(page: {
    key: string;
    invoice_id: string;
    invoice_number: string;
    amount: string;
    currency: string;
    customer_reference: string;
    saves_method: boolean;
    return_url: string;
    expires_at: string;
  }): Promise<{ reference: string; url: string; expires_at: string }>;
  readPaymentPage(reference: string): Promise<ProviderPage>;
  /** Ends a page, which nobody can pay then; the page as it is then: it may have been paid meanwhile. */
  expirePaymentPage(reference: string): Promise<ProviderPage>;

  /** Null for a method that is gone or belongs to nobody. */
  readMethod(reference: string): Promise<ProviderMethod | null>;
  /** Ends a method. One that is gone stays so. */
  detachMethod(reference: string): Promise<void>;

  /** An intent that charges nothing before it is confirmed; the same one for the same `attempt_id` within 24 hours. */
  prepareIntent(intent: {
    attempt_id: string;
    invoice_id: string;
    invoice_number: string;
    amount: string;
    currency: string;
    customer_reference: string;
    method_reference: string;
  }): Promise<ProviderIntent>;
  /** The intents of an invoice, the oldest first, also those that no row here knows. */
  intentsOf(invoice: { invoice_id: string; customer_reference: string }): Promise<ProviderIntent[]>;
  readIntent(reference: string): Promise<ProviderIntent>;
  /** Changes what an intent that is not confirmed will charge. */
  setIntentAmount(reference: string, charge: { amount: string; currency: string }): Promise<ProviderIntent>;
  /** Charges, while the customer is absent. A decline is an answer and no error. */
  confirmIntent(reference: string): Promise<ProviderIntent>;
  /** Cancels an intent that has charged nothing; the intent as it is then, which may have succeeded meanwhile. */
  cancelIntent(reference: string): Promise<ProviderIntent>;

  /** Gives money of a charge back; the same refund for the same `refund_id` within 24 hours. */
  createRefund(refund: {
    refund_id: string;
    charge_reference: string;
    amount: string;
    currency: string;
  }): Promise<ProviderRefund>;
  /** Null for one that there is not. */
  readRefund(reference: string): Promise<ProviderRefund | null>;
  /** The refunds of a charge, the oldest first, also those that no row here knows. */
  refundsOf(charge_reference: string): Promise<ProviderRefund[]>;
  /** Null for one that there is not. */
  readDispute(reference: string): Promise<ProviderDispute | null>;

  /** Pages of what was made since an instant, the newest first; `after` is the last one of the page before. */
  intentsSince(place: PlaceOfList): Promise<PageOfList<ProviderIntent>>;
  refundsSince(place: PlaceOfList): Promise<PageOfList<ProviderRefund>>;
  disputesSince(place: PlaceOfList): Promise<PageOfList<ProviderDispute>>;

  /**
   * An event that the provider has signed, from the raw body and the header with the signature; null for one without a
   * valid signature of one of the secrets, or signed more than 300 s ago.
   */
  readEvent(body: Buffer, signature: string, secrets: readonly string[]): ProviderEvent | null;
};

/** A page on which an invoice is paid. `intent` is its charge, null before the payer has tried to pay. */
export type ProviderPage = { status: 'open' | 'complete' | 'expired'; intent: ProviderIntent | null };

/** A method of payment at the provider. `expires` is a month, `2028-04`; null for one that never does. */
export type ProviderMethod = {
  reference: string;
  customer_reference: string;
  type: string;
  label: string;
  expires: string | null;
};

/**
 * A charge at the provider. `attempt_id` and `invoice_id` are those of its metadata, null where another program made
 * it. `amount` is what it charges or has charged.
 */
export type ProviderIntent = {
  reference: string;
  status: IntentStatus;
  amount: string;
  currency: string;
  attempt_id: string | null;
  invoice_id: string | null;
  method_reference: string | null;
  created_at: string;
  /** Decline of its last confirmation; null unless that one failed. */
  decline: Decline | null;
};

/**
 * A refund at the provider: `refund_id` is that of its metadata, null where another program or a person there made it.
 * `charge_reference` is the intent, null for a charge without one.
 */
export type ProviderRefund = {
  reference: string;
  status: RefundStatus;
  amount: string;
  charge_reference: string | null;
  refund_id: string | null;
  reason: string | null;
};

/** A dispute at the provider; a closed inquiry is won. */
export type ProviderDispute = {
  reference: string;
  status: DisputeStatus;
  amount: string;
  charge_reference: string | null;
  reason: string;
};

/** A place in what was made since an instant: the last object that was read, null at the begin. */
export type PlaceOfList = { since: string; after: string | null };
/** `after` is the place of the next page; null for the last page. */
export type PageOfList<Item> = { items: Item[]; after: string | null };

/**
 * An event of the provider: `object_type` and `object_reference` name what to read, for it never says what is true. Of
 * `other` nothing is read.
 */
export type ProviderEvent = {
  id: string;
  type: string;
  object_type: 'intent' | 'method' | 'page' | 'refund' | 'dispute' | 'other';
  object_reference: string;
};

/**
 * Why the provider did not do as asked. `unreachable`: nobody knows whether it did, ask again; `key_refused`: the key
 * is wrong or lacks a right; `refused`: it never will, `code` is its word, such as `amount_too_small`.
 */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly kind: 'unreachable' | 'key_refused' | 'refused';
  readonly code: string | null;

  constructor(kind: ProviderError['kind'], message: string, code: string | null = null) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** The provider's word for why it never will do as asked. Throws any other error again. */
export function refusalOf(error: unknown): string {
  if (error instanceof ProviderError && error.kind === 'refused') return error.code ?? 'refused';
  throw error;
}
