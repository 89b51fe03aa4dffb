import { type TitledCharge, withTitles } from './charge-title.ts';
import { type Draw, type GrantBalance, withReturns } from './credit.ts';
import { type Decimal, ZERO, canonical, decimal, sum } from './decimal.ts';
import {
  type ComposedLine,
  type ComposedWithCredit,
  type InvoicedPeriod,
  type LineDraw,
  type PeriodUsage,
  composeLate,
  composeOwn,
  returnsOfLine,
} from './line-item.ts';
import { toAmount } from './money.ts';
import { type RatedCharge, usageKey } from './series.ts';
import type { TaxTerms } from './tax.ts';

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void';

/** The state of a period's invoice that the billing steps read. */
export type InvoiceState = {
  id: string;
  status: InvoiceStatus;
  usage_revision: number;
  credit_revision: number;
  period_start: string;
  /** The draft must be counted again before it is issued: a line beside its own was voided, or it leaves late usage out. */
  is_stale: boolean;
};

/** `own` is null for the last invoice of a canceled subscription, which has late lines only. */
export type InvoiceInput = {
  /** Charges in the order of lines: in plan order, each with the series that any of the periods has. */
  charges: readonly RatedCharge[];
  own: InvoicedPeriod | null;
  /** Full periods, billed before, that may have late usage; oldest first. */
  late: readonly PeriodUsage[];
  /** Lines of invoice items, in the order in which they are taken. */
  items: readonly ComposedLine[];
  grants: readonly GrantBalance[];
  currency: string;
  tax: TaxTerms;
};

/** `amount` in the currency's minor digits. */
export type InvoiceTax = TaxTerms & { amount: string };

export type ComposedInvoice = {
  line_items: ComposedLine[];
  /** Credit of each line from each grant, signed. */
  credit: LineDraw[];
  draws: LineDraw[];
  returns: LineDraw[];
  /** Starts of full periods with a late line that waits for a later invoice. */
  waiting: string[];
  subtotal: string;
  tax: InvoiceTax;
  total: string;
  credits_applied: string;
};

/**
 * Composes an invoice: the lines of its own period in plan order, then items, then late lines, oldest period first. Credit is used line by
 * line in this order, before money (billing.md 4). Tax is rounded once, on the subtotal (billing.md 3). Credit that lines return is available
 * before the first line draws. An item or a late line that would take the running subtotal below zero waits and returns nothing; an empty
 * late line is not made (billing.md 5 and 7).
 */
export function composeInvoice(given: InvoiceInput): ComposedInvoice {
  const input = { ...given, charges: withTitles(given.charges) };
  const late = lateCharges(input);
  // A late line whose credit was returned before all draws may turn out not to be made. Compose again, with that credit returned in the
  // line's own place, and only if the line is made there.
  for (const in_place = new Set<LateCharge>(); ;) {
    const { made, waiting, unmade } = composeLines(input, { late, in_place });
    if (unmade === null) return invoiceOf(input, made, waiting);
    in_place.add(unmade);
  }
}

type TitledInput = Omit<InvoiceInput, 'charges'> & { charges: readonly TitledCharge[] };

type LateCharge = { charge: TitledCharge; period: PeriodUsage; returns: Draw[] };

type Lines = { made: ComposedWithCredit[]; waiting: string[]; unmade: LateCharge | null };

/** Composes all lines in order. `unmade`: the first late line that is not made although its credit was returned before all draws. */
function composeLines(
  { charges, own, items, grants: grants_before }: TitledInput,
  { late, in_place }: { late: readonly LateCharge[]; in_place: ReadonlySet<LateCharge> },
): Lines {
  const made: ComposedWithCredit[] = [];
  const waiting = new Set<string>();
  const returned_first = late.filter((line) => !in_place.has(line)).flatMap(({ returns }) => returns);
  const own_charges = own === null ? [] : charges.filter((charge) => hasLine(charge, own));
  const of_own = own === null ? [] : own_charges.flatMap((charge) => returnsOfLine(charge, own));
  let grants = withReturns(grants_before, [...of_own, ...returned_first]);
  let subtotal = ZERO;
  const add = (composed: ComposedWithCredit) => {
    made.push(composed);
    grants = composed.grants;
    subtotal = subtotal.plus(composed.line.amount);
  };
  if (own !== null)
    for (const charge of own_charges) {
      const composed = composeOwn(charge, grants, own);
      if (!isRepetition(charge, composed, own)) add(composed);
    }
  for (const line of items)
    if (subtotal.plus(line.amount).gte(ZERO)) add({ line, credit: [], draws: [], returns: [], grants });
  for (const line of late) {
    const { charge, period, returns } = line;
    const is_in_place = in_place.has(line);
    const composed = composeLate(charge, is_in_place ? withReturns(grants, returns) : grants, period);
    const { quantity, amount } = composed.line;
    const is_nothing = quantity === '0' && decimal(amount).eq(ZERO);
    const waits = !is_nothing && subtotal.plus(amount).lt(ZERO);
    if (!is_nothing && !waits) add(composed);
    else if (!is_in_place && returns.length > 0) return { made, waiting: [...waiting], unmade: line };
    else if (waits) waiting.add(period.full_period.period_start);
  }
  return { made, waiting: [...waiting], unmade: null };
}

/** A charge has a line in every period; its prices and groups only where they have events, skipped ones included. */
function hasLine({ id, price, group_by, series }: TitledCharge, { usage }: PeriodUsage): boolean {
  return (price === null && group_by === null) || usage.has(usageKey(id, series));
}

/** A line of a price or group that adds nothing to the lines of earlier parts of the period. */
function isRepetition(charge: TitledCharge, { line, credit }: ComposedWithCredit, own: PeriodUsage): boolean {
  const { id, price, group_by, series } = charge;
  if (price === null && group_by === null) return false;
  const is_first = own.usage.get(usageKey(id, series))!.others.length === 0;
  const is_zero = line.quantity === '0' && decimal(line.amount).eq(ZERO) && line.skipped_events === 0;
  return !is_first && is_zero && credit.length === 0;
}

function invoiceOf(
  input: InvoiceInput,
  made: readonly ComposedWithCredit[],
  waiting: string[],
): ComposedInvoice {
  const line_items = made.map(({ line }) => line);
  return {
    line_items,
    credit: made.flatMap(({ credit }) => credit),
    draws: made.flatMap(({ draws }) => draws),
    returns: made.flatMap(({ returns }) => returns),
    waiting,
    ...totals(sum(line_items.map(({ amount }) => decimal(amount))), input),
    credits_applied: canonical(sum(line_items.map((line) => decimal(line.credits_applied)))),
  };
}

function lateCharges({ charges, late }: TitledInput): LateCharge[] {
  return late.flatMap((period) =>
    charges
      .filter(({ id, series }) => period.usage.has(usageKey(id, series)))
      .map((charge) => ({ charge, period, returns: returnsOfLine(charge, period) })),
  );
}

function totals(subtotal: Decimal, { currency, tax: { treatment, note, ...terms } }: InvoiceInput) {
  const rate = decimal(terms.rate);
  const tax = toAmount(subtotal.times(rate).times('0.01'), currency);
  return {
    subtotal: toAmount(subtotal, currency),
    tax: { rate: canonical(rate), amount: tax, treatment, note },
    total: toAmount(subtotal.plus(tax), currency),
  };
}
