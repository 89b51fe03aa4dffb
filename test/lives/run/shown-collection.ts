import type { Json } from '../../support/servers/api.ts';
import type { Attempt, Method, PaymentPage, Pause } from '../model/collection.ts';
import { pauseOf } from '../model/pauses.ts';
import { freeAt, scheduleOf, shownStatus } from '../model/schedules.ts';
import type { Payment, World } from '../model/world.ts';
import { cashAt } from './payer.ts';
import type { Session } from './session.ts';
import type { Fields } from './shown.ts';

/** Methods, attempts, pauses, and the money at the provider. */

/** Shows amounts of the currency of the customer. */
type Money = (amount: bigint) => string;

export function expectedCollection(world: World, money: Money): Fields {
  const { methods, attempts, pages, cash, has_provider } = world.collection;
  const sorted = world.invoices.flatMap((invoice) => attempts.filter((one) => one.invoice === invoice));
  return {
    pause: pauseText(pauseOf(world, null)),
    pauses: world.invoices.map((invoice) => pauseText(pauseOf(world, invoice))),
    methods: methods.map(methodText),
    attempts: sorted.map((attempt) => expectedAttempt(world, attempt, money)),
    pages: pages.map((page) => expectedPage(world, page, money)),
    cash: has_provider ? `${cash}` : '0',
  };
}

function pauseText(pause: Pick<Pause, 'reason' | 'until'> | null): string | null {
  return pause === null ? null : `${pause.reason} until ${pause.until}`;
}

function methodText({ label, status, is_default }: Pick<Method, 'label' | 'status' | 'is_default'>): string {
  return `${label}, ${status}${is_default ? ', the default' : ''}`;
}

function expectedAttempt(world: World, attempt: Attempt, money: Money): Fields {
  const { invoice, number, amount, by, status, decline_code, method, payment } = attempt;
  return {
    invoice: world.invoices.indexOf(invoice),
    ...{ number, amount: money(amount), by, status, decline_code },
    method: world.collection.methods.indexOf(method),
    payment: payment === null ? null : placeOf(world, payment),
  };
}

function expectedPage(
  world: World,
  { invoice, amount, saves, status, payment }: PaymentPage,
  money: Money,
): Fields {
  return {
    ...{ invoice: world.invoices.indexOf(invoice), amount: money(amount), saves, status },
    payment: payment === null ? null : placeOf(world, payment),
  };
}

function placeOf({ invoices, deposits }: World, payment: Payment): string {
  const place = invoices.findIndex(({ payments }) => payments.includes(payment));
  if (place === -1) return `deposit ${deposits.indexOf(payment)}`;
  return `payment ${invoices[place]!.payments.indexOf(payment)} of invoice ${place}`;
}

type Seen = Readonly<Record<'invoices' | 'methods' | 'attempts' | 'pages', readonly Json[]>> & {
  customer: Json;
};

export function observedCollection(
  session: Session,
  { customer, invoices, methods, attempts, pages }: Seen,
): Fields {
  const ofInvoice = (id: string) => attempts.filter((attempt) => attempt.invoice_id === id);
  const sorted = invoices.flatMap(({ id }) => ofInvoice(id).toSorted((a, b) => a.number - b.number));
  return {
    pause: pauseText(customer.collection_pause),
    pauses: invoices.map((invoice) => pauseText(invoice.collection_pause)),
    methods: methods.map((method) => methodText(method)),
    attempts: sorted.map((attempt) => observedAttempt(session, attempt, invoices)),
    pages: pages.map((page) => observedPage(session, page, invoices)),
    cash: `${cashAt(session.provider)}`,
  };
}

function observedAttempt(session: Session, attempt: Json, invoices: readonly Json[]): Fields {
  const { number, amount, by, status, decline_code, payment_method_id, payment_id } = attempt;
  const invoice = session.invoices.indexOf(attempt.invoice_id);
  return {
    ...{ invoice, number, amount, by, status },
    decline_code: status === 'declined' ? decline_code : null,
    method: session.methods.indexOf(payment_method_id),
    payment: payment_id === null ? null : observedPlace(session, payment_id, invoices),
  };
}

function observedPage(session: Session, page: Json, invoices: readonly Json[]): Fields {
  const { invoice_id, amount, save: saves, status, payment_id } = page;
  return {
    ...{ invoice: session.invoices.indexOf(invoice_id), amount, saves, status },
    payment: payment_id === null ? null : observedPlace(session, payment_id, invoices),
  };
}

function observedPlace({ deposits }: Session, id: string, invoices: readonly Json[]): string {
  for (const [place, { payments }] of invoices.entries()) {
    const at = (payments ?? []).findIndex((payment: Json) => payment.id === id);
    if (at !== -1) return `payment ${at} of invoice ${place}`;
  }
  return `deposit ${deposits.indexOf(id)}`;
}

/** The differences of what invoices show of their plans, where the documents say what they show. */
export function planDifferences(world: World, { collections }: Session): string[] {
  return world.invoices.flatMap((invoice, place) => {
    const [seen, status] = [collections[place], shownStatus(world, invoice)];
    if (seen === undefined || seen === null || status === null) return [];
    const schedule = scheduleOf(world, invoice);
    const next = status === 'scheduled' ? freeAt(world, schedule!) : null;
    // The documents leave open which instant a pause shows while it lasts.
    const is_known = status !== 'paused';
    const is_right = seen.status === status && (!is_known || seen.next_attempt_at === next);
    const shown = `${seen.status}, next ${seen.next_attempt_at}`;
    return is_right ? [] : [`invoices[${place}].collection: is ${shown}, should be ${status}, next ${next}`];
  });
}
