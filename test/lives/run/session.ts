import assert from 'node:assert/strict';
import type { Json, Received, Sent } from '../../support/servers/api.ts';
import { rational } from '../../support/oracles/price-oracle.ts';
import { untilInTime } from '../../support/servers/until-in-time.ts';
import { decimalText } from '../model/usage.ts';
import type { Provider } from './payer.ts';
import type { Fields, Shown } from './shown.ts';
import { amountText, observedDiscount, percentText } from './shown-discounts.ts';
import { observedCollection } from './shown-collection.ts';
import { observedGrant } from './shown-grants.ts';
import { observedQuantities, observedStretches, openingNumber } from './shown-quantities.ts';

export type Request = (path: string, sent?: Sent) => Promise<Received>;

/** One life on the real product: what was sent, and the ids that came back, in the order of the model's lists. */
export type Session = {
  request: Request;
  customer_id: string;
  /** Events as sent. */
  events: Json[];
  /** Plans with the ids of their charges in plan order. */
  plans: { id: string; charges: string[] }[];
  subscriptions: string[];
  provider: Provider;
  /** Waits until the changes of the account are read by what plans charges. */
  untilIdle: () => Promise<void>;
  /** Payment methods, and the plans of charges that invoices show, as the invoices are. */
  methods: string[];
  /** Payment pages, with their addresses and their ids at the provider. */
  pages: { id: string; url: string; reference: string }[];
  collections: Json[];
  /** Subscriptions whose plan or end has changed or was to change. */
  changed: Set<string>;
  /** Payments in advance. */
  deposits: string[];
  transfers: string[];
  /** The answers to closes, by the month. */
  closed: Map<string, Json>;
  grants: string[];
  discounts: string[];
  invoices: string[];
  /** Ids of the items without deleted ones. */
  items: string[];
  /** The steps so far, in words. */
  steps: string[];
};

/** Sends a POST and returns the response, whatever its status. */
export async function post(session: Session, path: string, body: object = {}): Promise<Received> {
  return session.request(path, { method: 'POST', body });
}

/** Posts as `post` does, for a step that must succeed. */
export async function done(session: Session, path: string, body: object = {}): Promise<Json> {
  const answer = await untilInTime(() => post(session, path, body));
  assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Advances the clock to its present time; the API answers once nothing is due. */
export async function untilBilled(session: Session, to: string, hold_drafts: boolean): Promise<void> {
  await done(session, '/v1/test-clock/advance', { customer_id: session.customer_id, to, hold_drafts });
}

/** Everything that the API shows of the customer, oldest first. */
export async function observed(session: Session): Promise<Shown> {
  const of_customer = `?customer_id=${session.customer_id}&`;
  const customer = `/v1/customers/${session.customer_id}`;
  const [
    subscriptions,
    grants,
    discounts,
    invoices,
    items,
    notes,
    entries,
    transfers,
    { body },
    at_provider,
  ] = await Promise.all([
    listed(session, `/v1/subscriptions${of_customer}`),
    grantsOf(session),
    listed(session, `/v1/discounts${of_customer}`),
    listed(session, `/v1/invoices${of_customer}`),
    listed(session, `/v1/invoice-items${of_customer}`),
    listed(session, `/v1/credit-notes${of_customer}`),
    listed(session, `${customer}/balance-entries?`),
    listed(session, `/v1/transfers${of_customer}`),
    session.request(customer),
    ofProvider(session, of_customer),
  ]);
  session.grants = grants.map(({ id }) => id);
  session.discounts = discounts.map(({ id }) => id);
  session.invoices = invoices.map(({ id }) => id);
  session.items = items.map(({ id }) => id);
  session.methods = at_provider.methods.map(({ id }) => id);
  session.collections = invoices.map(({ collection }) => collection);
  const numbers = {
    invoices: invoices.flatMap(({ number }) => number ?? []).toSorted(),
    notes: notes.map(({ number }) => number).toSorted(),
  };
  return {
    subscriptions: await Promise.all(subscriptions.map((one) => observedSubscription(session, one))),
    grants: grants.map((grant) => observedGrant(session, grant)),
    discounts: discounts.map((discount) => observedDiscount(session, discount)),
    invoices: invoices.map((invoice) => observedInvoice(session, invoice, numbers)),
    items: items.map((item) => observedItem(session, item)),
    notes: observedNotes({ notes, invoices, numbers: numbers.notes }),
    balance: [{ balance: body.balance }, ...entries.map((entry) => observedEntry(session, entry))],
    transfers: transfers.map((transfer) => observedTransfer(session, transfer)),
    collection: observedCollection(session, { ...at_provider, customer: body, invoices }),
  };
}

/** Methods, attempts and payment pages of the customer; none before a provider is connected. */
async function ofProvider(session: Session, query: string) {
  if (session.provider.id === null) return { methods: [], attempts: [], pages: [] };
  const [methods, attempts, pages] = await Promise.all([
    listed(session, `/v1/payment-methods${query}`),
    listed(session, `/v1/payment-attempts${query}`),
    listed(session, `/v1/payment-sessions${query}`),
  ]);
  return { methods, attempts, pages };
}

/** All grants by the time of their making: those of a plan are made in the past where a period began there. */
async function grantsOf(session: Session): Promise<Json[]> {
  const grants = await listed(session, `/v1/credit-grants?customer_id=${session.customer_id}&`);
  const isBefore = (a: Json, b: Json) => a.created_at < b.created_at;
  return grants.toSorted((a, b) => (isBefore(a, b) ? -1 : Number(isBefore(b, a))));
}

async function listed({ request }: Session, path: string): Promise<Json[]> {
  const { status, body } = await request(`${path}limit=200`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.has_more, false);
  return body.data.toReversed();
}

async function observedSubscription(session: Session, subscription: Json): Promise<Fields> {
  const { status, timezone, trial_end_date, cancel_at, canceled_at, attention, billing_anchor } =
    subscription;
  const current = { start: subscription.current_period_start, end: subscription.current_period_end };
  const pending: Json = subscription.pending_change ?? null;
  return {
    status,
    timezone,
    trial_end: trial_end_date,
    cancel_at,
    canceled_at,
    current_period: status === 'canceled' ? null : current,
    attention,
    plan: planPlace(session, subscription.plan_id),
    billing_anchor,
    pending_change: pending && { plan: planPlace(session, pending.plan_id), at: pending.at },
    ...observedQuantities(subscription),
    bill_at: amountText(subscription.bill_at ?? null),
    periods: session.changed.has(subscription.id) ? await observedPeriods(session, subscription) : null,
  };
}

/** The billing periods of a subscription that has begun to bill. */
async function observedPeriods(session: Session, { id, status }: Json): Promise<Fields[]> {
  if (status === 'pending' || status === 'trialing') return [];
  const periods = await listed(session, `/v1/subscriptions/${id}/periods?`);
  const billing = periods.filter(({ kind }) => kind === 'billing');
  return billing.map(({ plan_id, period_start, period_end, invoice_id }) => ({
    plan: planPlace(session, plan_id),
    period: `${period_start} to ${period_end}`,
    invoice: invoice_id === null ? null : session.invoices.indexOf(invoice_id),
  }));
}

function planPlace({ plans }: Session, plan_id: string): number {
  return plans.findIndex(({ id }) => id === plan_id);
}

function observedEntry({ invoices }: Session, { type, amount, invoice_id }: Json): Fields {
  return { type, amount, invoice: invoice_id === null ? null : invoices.indexOf(invoice_id) };
}

function observedTransfer({ invoices }: Session, { amount, reference, paid_at, payments }: Json): Fields {
  return {
    ...{ amount, reference, paid_at },
    payments: payments.map((payment: Json) => ({
      amount: payment.amount,
      invoice: payment.invoice_id === null ? null : invoices.indexOf(payment.invoice_id),
      is_reversed: payment.reversed_at !== null,
    })),
  };
}

function observedItem({ invoices, subscriptions, items }: Session, item: Json): Fields {
  const { status, quantity, unit_amount, amount, invoice_id, subscription_id, split_from } = item;
  return {
    ...{ status, quantity, unit_amount, amount },
    subscription: subscriptions.indexOf(subscription_id),
    invoice: invoice_id === null ? null : invoices.indexOf(invoice_id),
    split_from: split_from === null ? null : items.indexOf(split_from),
  };
}

type Notes = { notes: readonly Json[]; invoices: readonly Json[]; numbers: readonly string[] };

/** All credit notes by number. */
function observedNotes({ notes, invoices, numbers }: Notes): Fields[] {
  const sorted = notes.toSorted((a, b) => numbers.indexOf(a.number) - numbers.indexOf(b.number));
  return sorted.map((made) => {
    const place = invoices.findIndex(({ id }) => id === made.invoice_id);
    const placeOf = (id: string) => invoices[place].line_items.findIndex((line: Json) => line.id === id);
    return {
      number: numbers.indexOf(made.number) + 1,
      ...{ invoice: place, automatic: made.automatic, is_of_billing: made.created_by === null },
      ...{ status: made.status, reason: made.reason.split(' ')[0] },
      lines: made.lines.map((line: Json) => `${line.amount} of line ${placeOf(line.line_item_id)}`),
      ...{ subtotal: made.subtotal, tax: made.tax.amount, total: made.total, to_invoice: made.to_invoice },
      ...{ to_balance: made.to_balance, outside: made.outside, issued_at: made.issued_at },
    };
  });
}

/** The numbers of the customer's invoices and credit notes, each in order. */
export type Numbers = { invoices: readonly string[]; notes: readonly string[] };
export const NO_NUMBERS: Numbers = { invoices: [], notes: [] };

/** An invoice of the API, with positions in lists instead of ids. */
export function observedInvoice(session: Session, invoice: Json, numbers: Numbers): Fields {
  const placeOf = (id: string | null) => (id === null ? null : session.invoices.indexOf(id));
  const {
    status,
    payment_status,
    subtotal,
    tax,
    total: sum,
    amount_due,
    amount_paid,
    credits_applied,
  } = invoice;
  const { created_at, issued_at, paid_at, voided_at } = invoice;
  return {
    subscription: session.subscriptions.indexOf(invoice.subscription_id),
    status,
    payment_status,
    number: invoice.number === null ? null : numbers.invoices.indexOf(invoice.number) + 1,
    ...openingNumber(invoice),
    cause: invoice.cause ?? null,
    period: `${invoice.period_start} to ${invoice.period_end}`,
    timezone: invoice.timezone,
    plan: planPlace(session, invoice.plan_id),
    lines: invoice.line_items.map((line: Json) => observedLine(session, line)),
    ...{ subtotal, tax, total: sum, amount_due, amount_paid, credits_applied },
    ...{ balance_applied: invoice.balance_applied, balance_at_issue: invoice.balance_at_issue },
    credited: invoice.credited,
    payments: (invoice.payments ?? []).map(
      ({ amount, to_balance, reversed_at }: Json) =>
        `${amount}, ${to_balance} to the balance${reversed_at === null ? '' : ', reversed'}`,
    ),
    credit_notes: (invoice.credit_notes ?? []).map((made: Json) => ({
      number: numbers.notes.indexOf(made.number) + 1,
      ...{ automatic: made.automatic, total: made.total, status: made.status },
    })),
    replaces: placeOf(invoice.replaces),
    replaced_by: placeOf(invoice.replaced_by),
    ...{ created_at, issued_at, paid_at, voided_at },
  };
}

function observedLine({ plans, discounts }: Session, line: Json): Fields {
  const all = plans.flatMap(({ charges }) => charges);
  const { type, quantity, skipped_events, credits_applied, billable_quantity, amount } = line;
  return {
    type,
    charge: all.indexOf(line.charge_id),
    ...{ price_index: line.price_index, group: line.group },
    ...{ quantity, skipped_events, credits_applied, billable_quantity, amount },
    amount_before: line.amount_before,
    discounts: line.discounts.map((one: Json) => percentText(discounts.indexOf(one.discount_id), one)),
    period: `${line.period_start} to ${line.period_end}`,
    tiers:
      line.tiers?.map((tier: Json) => `${tier.quantity} for ${decimalText(rational(tier.amount))}`) ?? null,
    ...observedStretches(line),
  };
}
