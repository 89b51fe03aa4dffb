import { amountsOf } from './amounts.ts';
import { note, type CreditNote, type Instant, type Invoice, type Payment, type World } from './world.ts';

/** The amount that was paid for an invoice and not reversed, in minor units; without what went to the balance. */
export function paidOf({ payments }: Invoice): bigint {
  const standing = payments.filter(({ is_reversed }) => !is_reversed);
  return standing.reduce((sum, { amount, to_balance }) => sum + amount - to_balance, 0n);
}

/** The credit notes of an invoice that are not void. */
export function standingNotes({ notes }: Invoice): CreditNote[] {
  return notes.filter(({ is_void }) => !is_void);
}

/** The amount that credit notes take off what is due. */
export function creditedOf(invoice: Invoice): bigint {
  return standingNotes(invoice).reduce((sum, { to_invoice }) => sum + to_invoice, 0n);
}

/** The amount due on an invoice, in minor units; 0 once it is void. */
export function dueOf(invoice: Invoice): bigint {
  if (invoice.status === 'void') return 0n;
  return amountsOf(invoice).total - paidOf(invoice) - invoice.from_balance - creditedOf(invoice);
}

/** Makes an issued invoice paid if nothing is due, and open if something is. */
export function settleOwed(invoice: Invoice): void {
  const is_paid = dueOf(invoice) === 0n;
  invoice.paid_at = is_paid ? paidAt(invoice) : null;
  invoice.status = is_paid ? 'paid' : 'open';
}

/** The latest of the issue and of all that stands and took something off. */
function paidAt(invoice: Invoice): Instant {
  const paying = invoice.payments.filter(
    (payment) => !payment.is_reversed && payment.amount > payment.to_balance,
  );
  const crediting = standingNotes(invoice).filter(({ to_invoice }) => to_invoice > 0n);
  const times = [
    ...paying.map(({ paid_at }) => paid_at),
    ...crediting.map(({ issued_at }) => issued_at),
    ...invoice.applied.map(({ at }) => at),
  ];
  return [invoice.issued_at!, ...times].toSorted().at(-1)!;
}

/** Covers a part of an invoice from the balance. */
function cover(world: World, invoice: Invoice, amount: bigint): void {
  moveBalance(world, 'applied', { amount: -amount, invoice });
  if (amount > 0n) invoice.applied.push({ amount, at: world.now });
  invoice.from_balance += amount;
}

/** Takes a part of what the balance covers of an invoice, the last application first. */
function uncover(world: World, invoice: Invoice, amount: bigint): void {
  moveBalance(world, 'unapplied', { amount, invoice });
  invoice.from_balance -= amount;
  for (let left = amount; left > 0n;) {
    const last = invoice.applied.at(-1)!;
    const part = last.amount < left ? last.amount : left;
    last.amount -= part;
    left -= part;
    if (last.amount === 0n) invoice.applied.pop();
  }
}

/** Adds an entry to the balance; none of 0. */
export function moveBalance(
  world: World,
  type: string,
  { amount, invoice = null }: { amount: bigint; invoice?: Invoice | null },
): void {
  if (amount === 0n) return;
  world.balance += amount;
  world.entries.push({ type, amount, invoice });
}

/** The invoices that the balance covers, the one with the latest application first. */
function coveredBy({ invoices, entries }: World): Invoice[] {
  const lastOf = (invoice: Invoice) =>
    entries.findLastIndex((entry) => entry.type === 'applied' && entry.invoice === invoice);
  return invoices
    .filter(({ from_balance, status }) => status !== 'void' && from_balance > 0n)
    .toSorted((a, b) => lastOf(b) - lastOf(a));
}

/** Whether balance and invoices that it covers have as much. */
export function canWithdraw(world: World, amount: bigint): boolean {
  return amount <= coveredBy(world).reduce((sum, { from_balance }) => sum + from_balance, world.balance);
}

/** Takes back what the balance got; what it lacks is due again on the invoices that it covers. */
export function withdraw(
  world: World,
  type: string,
  { amount, invoice = null }: { amount: bigint; invoice?: Invoice | null },
): void {
  let missing = amount - world.balance;
  for (const covered of coveredBy(world)) {
    if (missing <= 0n) break;
    const part = covered.from_balance < missing ? covered.from_balance : missing;
    uncover(world, covered, part);
    settleOwed(covered);
    note(world, 'used balance due again');
    missing -= part;
  }
  moveBalance(world, type, { amount: -amount, invoice });
}

/** False if the balance would fall below 0. */
export function adjustBalance(world: World, amount: bigint): boolean {
  if (world.balance + amount < 0n) return false;
  moveBalance(world, 'adjustment', { amount });
  return true;
}

/** Takes from the balance what it covers of an invoice that is issued now. */
export function takeBalance(world: World, invoice: Invoice): void {
  const { total } = amountsOf(invoice);
  cover(world, invoice, world.balance < total ? world.balance : total);
  invoice.at_issue = invoice.from_balance;
}

/** Gives back what a void invoice took from the balance. */
export function returnBalance(world: World, invoice: Invoice): void {
  moveBalance(world, 'returned', { amount: invoice.from_balance, invoice });
  invoice.from_balance = 0n;
  invoice.applied = [];
}

/** Covers what is due from the balance as far as it goes; false if the invoice is not open, or the balance is 0. */
export function applyBalance(world: World, invoice: Invoice): boolean {
  if (invoice.status !== 'open' || world.balance === 0n) return false;
  const due = dueOf(invoice);
  const amount = world.balance < due ? world.balance : due;
  cover(world, invoice, amount);
  settleOwed(invoice);
  return true;
}

/** The particulars of a payment. Two of the same reference, amount and day are one, unless `is_allowed`. */
export type Particulars = { reference: string | null; paid_at: Instant; is_allowed: boolean };
type Paying = { part?: bigint; to_balance?: boolean; particulars?: Particulars };

/** Whether what was paid before is the same, by reference, amount and day. */
export function isSame(
  made: Pick<Payment, 'amount' | 'reference' | 'paid_at'>,
  { amount, reference, paid_at, is_allowed }: Particulars & { amount: bigint },
): boolean {
  const dayOf = (instant: Instant) => instant.slice(0, 10);
  if (reference === null || is_allowed) return false;
  return made.reference === reference && made.amount === amount && dayOf(made.paid_at) === dayOf(paid_at);
}

/** Whether one of the payments that stand is the same. */
function isDuplicate(payments: readonly Payment[], paid: Particulars & { amount: bigint }): boolean {
  return payments.some((made) => !made.is_reversed && isSame(made, paid));
}

/**
 * Pays a part of an open invoice, or all that is due; what exceeds it goes to the balance, if it may, also of a paid invoice. False for any
 * other status, and for an excess that may not; a duplicate is refused before.
 */
export function payInvoice(
  world: World,
  invoice: Invoice,
  {
    part,
    to_balance = false,
    particulars = { reference: null, paid_at: world.now, is_allowed: false },
  }: Paying = {},
): boolean | 'duplicate_payment' {
  const may_exceed = part !== undefined && to_balance;
  const due = dueOf(invoice);
  const amount = part ?? due;
  if (isDuplicate(invoice.payments, { amount, ...particulars })) return 'duplicate_payment';
  if (invoice.status !== 'open' && !(invoice.status === 'paid' && may_exceed)) return false;
  const excess = amount > due ? amount - due : 0n;
  if (excess > 0n && !to_balance) return false;
  const { reference, paid_at } = particulars;
  invoice.payments.push({ amount, to_balance: excess, reference, paid_at, is_reversed: false });
  moveBalance(world, 'overpayment', { amount: excess, invoice });
  settleOwed(invoice);
  return true;
}

/** Reverses a payment: what it paid is due again. False if it was reversed before, or if its excess was paid out. */
export function reversePayment(world: World, invoice: Invoice, place: number): boolean {
  const payment = invoice.payments[place]!;
  if (payment.is_reversed || !canWithdraw(world, payment.to_balance)) return false;
  payment.is_reversed = true;
  if (invoice.status !== 'void') settleOwed(invoice);
  withdraw(world, 'overpayment', { amount: payment.to_balance, invoice });
  return true;
}

/** Records a payment in advance; refuses a duplicate. */
export function deposit(world: World, amount: bigint, particulars: Particulars): true | 'duplicate_payment' {
  if (isDuplicate(world.deposits, { amount, ...particulars })) return 'duplicate_payment';
  const { reference, paid_at } = particulars;
  world.deposits.push({ amount, to_balance: amount, reference, paid_at, is_reversed: false });
  moveBalance(world, 'deposit', { amount });
  return true;
}

/** Reverses a payment in advance. False if it was reversed before, or if it was paid out. */
export function reverseDeposit(world: World, place: number): boolean {
  const made = world.deposits[place]!;
  if (made.is_reversed || !canWithdraw(world, made.amount)) return false;
  made.is_reversed = true;
  withdraw(world, 'deposit', { amount: made.amount });
  return true;
}
