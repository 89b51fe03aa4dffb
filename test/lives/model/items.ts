import { rational, rounded, times } from '../../support/oracles/price-oracle.ts';
import { compose } from './composition.ts';
import {
  billingStart,
  endOf,
  fullPeriodFrom,
  knownEnd,
  neverBills,
  nextEnding,
  nextInstant,
} from './periods.ts';
import { invoiceOfItem } from './giving.ts';
import { note, type Instant, type Invoice, type Item, type Subscription, type World } from './world.ts';

export type ItemTerms = { quantity: string; unit_amount: string };

/** Puts an item on the next invoice of a subscription, at once on its oldest draft; null if no invoice will follow. */
export function addItem(world: World, named: Subscription | null, terms: ItemTerms): Item | null {
  const running = byNextInvoice(world);
  const subscription = running.find((one) => named === null || one === named);
  if (subscription === undefined) return null;
  const quantity = rational(terms.quantity);
  const amount = minorUnits(rounded(times(quantity, rational(terms.unit_amount)), world.digits));
  const { unit_amount } = terms;
  const item: Item = { subscription, quantity, unit_amount, amount, is_deleted: false, split_from: null };
  world.items.push(item);
  const [draft] = draftsOf(world, subscription);
  if (draft !== undefined) reprice(world, draft);
  return item;
}

/** False if the item is on an issued invoice. */
export function deleteItem(world: World, item: Item): boolean {
  const invoice = invoiceOfItem(world, item);
  if (invoice !== null && invoice.status !== 'draft') return false;
  item.is_deleted = true;
  if (invoice !== null) reprice(world, invoice);
  return true;
}

/** The items of a subscription that are on no invoice. */
export function leftItems(world: World, subscription: Subscription): Item[] {
  return world.items.filter(
    (item) => item.subscription === subscription && !item.is_deleted && invoiceOfItem(world, item) === null,
  );
}

/** Moves them to the subscription that a new item would go to, but to none in its late window; without one they stay. */
export function moveItems(world: World, subscription: Subscription): void {
  const left = leftItems(world, subscription);
  const takers = byNextInvoice(world).filter(
    ({ late_period }) => late_period === null || late_period.is_closed,
  );
  const [taker] = takers;
  if (left.length > 0)
    note(world, taker === undefined ? 'items stay with a finished subscription' : 'items move');
  if (left.length === 0 || taker === undefined) return;
  world.has_moved_items = true;
  for (const item of left) item.subscription = taker;
  const [draft] = draftsOf(world, taker);
  if (draft !== undefined) reprice(world, draft);
}

/** An item of which an issued invoice takes a part becomes that part, and the rest is a new item. */
export function splitItems(world: World, { lines, subscription }: Invoice): void {
  for (const { item, amount } of lines) {
    if (item === null || item.amount === amount) continue;
    note(world, 'item split');
    const rest = item.amount - amount;
    const quantity = rational('1');
    Object.assign(item, { quantity, unit_amount: unitText(world, amount), amount });
    const left = { subscription, quantity, unit_amount: unitText(world, rest), amount: rest };
    world.items.push({ ...left, is_deleted: false, split_from: item });
  }
}

/** A money amount as a unit amount is written: without zeros at its end. */
function unitText({ digits }: World, amount: bigint): string {
  const text = rounded({ n: amount, d: 10n ** BigInt(digits) }, digits);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function reprice(world: World, draft: Invoice): void {
  note(world, 'draft priced again for an item');
  draft.lines = compose(world, draft).lines;
}

/** A subscription's drafts, the oldest period first. */
function draftsOf({ invoices }: World, subscription: Subscription): Invoice[] {
  const drafts = invoices.filter((one) => one.subscription === subscription && one.status === 'draft');
  return drafts.toSorted((a, b) => (a.period.start < b.period.start ? -1 : 1));
}

/** The subscriptions that will have an invoice: those with a draft or a billing period by its end, then those in trial or before their end. */
function byNextInvoice(world: World): Subscription[] {
  const running = world.subscriptions.flatMap((subscription) => {
    const [draft] = draftsOf(world, subscription);
    if (draft === undefined && nextInstant(subscription) === null) return [];
    const ending = nextEnding(subscription);
    const end = draft?.period.end ?? (ending === null ? undefined : endOf(subscription, ending));
    const { trial_end, cancel_at } = subscription;
    const unbilled = neverBills(subscription) ? cancel_at : trial_end;
    if (end === undefined && unbilled !== null) return [{ subscription, place: `1 ${unbilled}` }];
    return [{ subscription, place: `0 ${end ?? firstEnd(subscription)}` }];
  });
  const sorted = running.toSorted((a, b) => (a.place === b.place ? 0 : a.place < b.place ? -1 : 1));
  return sorted.map(({ subscription }) => subscription);
}

/** The end of the first billing period, as far as it is known before it begins. */
function firstEnd(subscription: Subscription): Instant {
  return knownEnd(subscription, fullPeriodFrom(subscription, billingStart(subscription))).end;
}

function minorUnits(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
