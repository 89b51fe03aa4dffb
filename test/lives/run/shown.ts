import { rounded, total, type Rational } from '../../support/oracles/price-oracle.ts';
import { invoiceOfItem } from '../model/giving.ts';
import { byAge } from '../model/grants.ts';
import { amountText, expectedDiscount, percentText } from './shown-discounts.ts';
import { expectedCollection } from './shown-collection.ts';
import { expectedGrant } from './shown-grants.ts';
import { expectedNumber, expectedQuantities, expectedStretches } from './shown-quantities.ts';
import { amountsOf } from '../model/amounts.ts';
import { creditedOf, dueOf, paidOf } from '../model/owed.ts';
import { pendingChange } from '../model/changes.ts';
import { endOf, shownPeriod, statusAt, termsAt } from '../model/periods.ts';
import { decimalText } from '../model/usage.ts';
import type { Charge, Invoice, Item, Line, Plan, Subscription, World } from '../model/world.ts';

export type Fields = Record<string, unknown>;

/** The state of the customer that the API shows, or should show; with positions in lists instead of ids. */
export type Shown = {
  subscriptions: Fields[];
  grants: Fields[];
  discounts: Fields[];
  invoices: Fields[];
  items: Fields[];
  notes: Fields[];
  balance: Fields[];
  transfers: Fields[];
  collection: Fields;
};

/** Everything that the API should show of the customer. */
export function expected(world: World): Shown {
  return {
    subscriptions: world.subscriptions.map((subscription) => expectedSubscription(world, subscription)),
    grants: byAge(world.grants).map((grant) => expectedGrant(world, grant)),
    discounts: world.discounts.map((discount) => expectedDiscount(world, discount)),
    invoices: world.invoices.map((invoice) => expectedInvoice(world, invoice)),
    items: world.items.filter(({ is_deleted }) => !is_deleted).map((item) => expectedItem(world, item)),
    notes: expectedNotes(world),
    balance: expectedBalance(world),
    transfers: expectedTransfers(world),
    collection: expectedCollection(world, (amount) => moneyText(world, amount)),
  };
}

function expectedSubscription(world: World, subscription: Subscription): Fields {
  const { now } = world;
  const { cancel_at } = subscription;
  const { plan, anchor } = termsAt(subscription, now);
  const pending = pendingChange(subscription, now);
  const status = statusAt(subscription, now);
  return {
    status,
    timezone: subscription.timezone,
    trial_end: subscription.trial_end,
    cancel_at: status === 'canceled' ? null : cancel_at,
    canceled_at: status === 'canceled' ? cancel_at : null,
    current_period: shownPeriod(subscription, now),
    attention: null,
    plan: world.plans.indexOf(plan),
    billing_anchor: anchor,
    pending_change: pending && { plan: world.plans.indexOf(pending.plan), at: pending.at },
    ...expectedQuantities(world, subscription),
    bill_at: amountText(subscription.bill_at),
    periods: subscription.has_changed ? expectedPeriods(world, subscription) : null,
  };
}

/** The parts of all full periods, oldest first. */
function expectedPeriods({ plans, invoices }: World, subscription: Subscription): Fields[] {
  const valid = invoices.filter(({ status }) => status !== 'void');
  return subscription.full_periods.flatMap(({ plan, parts }) =>
    parts.map((part) => {
      const invoice = valid.find(({ period }) => period === part);
      return {
        plan: plans.indexOf(plan),
        period: `${part.start} to ${part.is_closed ? part.end : endOf(subscription, part)}`,
        invoice: invoice === undefined ? null : invoices.indexOf(invoice),
      };
    }),
  );
}

function expectedItem(world: World, item: Item): Fields {
  const { quantity, unit_amount, amount, subscription, split_from } = item;
  const shown = world.items.filter(({ is_deleted }) => !is_deleted);
  const invoice = invoiceOfItem(world, item);
  return {
    status: invoice === null || invoice.status === 'draft' ? 'pending' : 'invoiced',
    quantity: decimalText(quantity),
    unit_amount,
    amount: moneyText(world, amount),
    subscription: world.subscriptions.indexOf(subscription),
    invoice: invoice === null ? null : world.invoices.indexOf(invoice),
    split_from: split_from === null ? null : shown.indexOf(split_from),
  };
}

/** The balance, and its entries from the oldest. */
function expectedBalance(world: World): Fields[] {
  const entries = world.entries.map(({ type, amount, invoice }) => ({
    ...{ type, amount: moneyText(world, amount) },
    invoice: invoice === null ? null : world.invoices.indexOf(invoice),
  }));
  return [{ balance: moneyText(world, world.balance) }, ...entries];
}

/** All transfers from the oldest. */
function expectedTransfers(world: World): Fields[] {
  return world.transfers.map(({ amount, reference, paid_at, payments }) => ({
    ...{ amount: moneyText(world, amount), reference, paid_at },
    payments: payments.map(({ invoice, payment }) => ({
      amount: moneyText(world, payment.amount),
      invoice: invoice === null ? null : world.invoices.indexOf(invoice),
      is_reversed: payment.is_reversed,
    })),
  }));
}

/** All credit notes by number. */
function expectedNotes(world: World): Fields[] {
  const money = (amount: bigint) => moneyText(world, amount);
  const notes = world.invoices.flatMap((invoice, place) =>
    invoice.notes.map(({ number, automatic, is_void, reason, lines, ...amounts }) => ({
      ...{ number, invoice: place, automatic, is_of_billing: automatic },
      status: is_void ? 'void' : 'issued',
      reason: reason.split(' ')[0],
      lines: lines.map((line) => `${money(line.amount)} of line ${line.place}`),
      ...{ subtotal: money(amounts.net), tax: money(amounts.tax), total: money(amounts.total) },
      to_invoice: money(amounts.to_invoice),
      ...{ to_balance: money(amounts.to_balance), outside: money(amounts.outside) },
      issued_at: amounts.issued_at,
    })),
  );
  return notes.toSorted((a, b) => a.number - b.number);
}

/** Minor units as the API shows them. */
export function moneyText({ digits }: World, amount: bigint): string {
  return rounded({ n: amount, d: 10n ** BigInt(digits) }, digits);
}

/** An invoice as the API should show it. */
export function expectedInvoice(world: World, invoice: Invoice): Fields {
  const { subtotal, tax, total: sum } = amountsOf(invoice);
  const money = (amount: bigint) => moneyText(world, amount);
  const { status, lines } = invoice;
  const placeOf = (other: Invoice | null) => (other === null ? null : world.invoices.indexOf(other));
  return {
    subscription: world.subscriptions.indexOf(invoice.subscription),
    status,
    payment_status:
      status === 'paid' || status === 'void' ? status : paidOf(invoice) > 0n ? 'partially_paid' : 'unpaid',
    number: invoice.number,
    ...expectedNumber(invoice),
    cause: invoice.period.kind === 'part' ? invoice.period.cause : null,
    period: `${invoice.says.start} to ${invoice.says.end}`,
    timezone: invoice.subscription.timezone,
    plan: world.plans.indexOf(planOf(invoice)),
    lines: lines.map((line) => expectedLine(world, line)),
    subtotal: money(subtotal),
    tax: { rate: invoice.tax_rate, amount: money(tax), treatment: 'standard', note: null },
    total: money(sum),
    amount_due: money(dueOf(invoice)),
    amount_paid: money(paidOf(invoice)),
    ...{ balance_applied: money(invoice.from_balance), balance_at_issue: money(invoice.at_issue) },
    credited: money(creditedOf(invoice)),
    payments: invoice.payments.map(
      ({ amount, to_balance, is_reversed }) =>
        `${money(amount)}, ${money(to_balance)} to the balance${is_reversed ? ', reversed' : ''}`,
    ),
    credit_notes: invoice.notes.map(({ number, automatic, total: of_note, is_void }) => ({
      ...{ number, automatic, total: money(of_note) },
      status: is_void ? 'void' : 'issued',
    })),
    credits_applied: creditOf(lines.flatMap(({ draws }) => draws)),
    replaces: placeOf(invoice.replaces),
    replaced_by: placeOf(invoice.replaced_by),
    created_at: invoice.created_at,
    issued_at: invoice.issued_at,
    paid_at: invoice.paid_at,
    voided_at: invoice.voided_at,
  };
}

/** The plan of the period; of the late window, the last one of the subscription. */
function planOf({ period, subscription }: Invoice): Plan {
  return period.kind !== 'late' ? period.full_period.plan : termsAt(subscription, period.end).plan;
}

function expectedLine(world: World, line: Line): Fields {
  const charges = world.plans.flatMap((plan) => plan.charges);
  return {
    type: line.type,
    charge: charges.indexOf(line.charge.part?.whole ?? line.charge),
    ...seriesShown(line.charge),
    quantity: decimalText(line.quantity),
    skipped_events: line.skipped_events,
    credits_applied: creditOf(line.draws),
    billable_quantity: decimalText(line.billable_quantity),
    amount: moneyText(world, line.amount),
    amount_before: line.amount_before === null ? null : moneyText(world, line.amount_before),
    discounts: line.discounts.map((one) => percentText(world.discounts.indexOf(one), one)),
    period: `${line.period.start} to ${line.period.end}`,
    tiers:
      line.tiers?.map(({ quantity, amount }) => `${decimalText(quantity)} for ${decimalText(amount)}`) ??
      null,
    ...expectedStretches(line, (amount) => moneyText(world, amount)),
  };
}

function seriesShown({ part, division }: Charge): Fields {
  if (part === undefined) return { price_index: null, group: null };
  const { price_index, values } = part.series;
  const group = values && Object.fromEntries(division!.group_by!.map((name, place) => [name, values[place]]));
  return { price_index, group };
}

function creditOf(draws: readonly { amount: Rational }[]): string {
  return decimalText(total(draws.map(({ amount }) => amount)));
}
