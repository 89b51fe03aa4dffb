import { type Decimal, ZERO, decimal } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';
import { groupedBy } from '../money/grouped.ts';
import { countedWords, withTitles } from '../lines/charge-title.ts';
import type { Charge } from '../pricing/charge.ts';
import { isMetered } from '../pricing/definitions.ts';
import type { Group, RatedCharge } from '../pricing/series.ts';
import { type BilledLine, type SeriesOfBill, seriesOfBill } from './bill-series.ts';
import { type CausedAmount, causesOfSeries, causesOfTax, type TaxedBill, totalOf } from './cause.ts';

/** An invoice, issued or not, as far as it is compared. */
export type Bill = TaxedBill & { line_items: readonly BilledLine[]; total: string };

export const COMPARED_KINDS = ['fee', 'usage', 'item', 'discount', 'minimum', 'tax'] as const;

/**
 * A series on two bills. Amounts are in the currency's minor digits, "0.00" where a bill lacks the series; quantities
 * are without late lines, null of a bill that has no other line of it, and of the tax. The causes add up to the
 * difference.
 */
export type ComparedLine = {
  title: string;
  kind: (typeof COMPARED_KINDS)[number];
  event_name: string | null;
  group: Group | null;
  amount: string;
  with_amount: string;
  difference: string;
  quantity: string | null;
  with_quantity: string | null;
  causes: CausedAmount[];
};

/** A bill beside another one: this less the other, line by line, the greatest difference first and the tax last. */
export type Comparison = { total: string; with_total: string; difference: string; lines: ComparedLine[] };

/** The charges of the lines of both bills by id, and the currency of both. */
type Terms = { charges: ReadonlyMap<string, Charge>; currency: string };

/** Compares two bills of one currency: the causes come from the functions that price bills (contract.md 4). */
export function compareBills(bill: Bill, other: Bill, terms: Terms): Comparison {
  const { currency } = terms;
  const here = seriesOfBill(bill.line_items, terms);
  const there = seriesOfBill(other.line_items, terms);
  const pairs = [...new Set([...here.keys(), ...there.keys()])].map((key) => ({
    here: here.get(key) ?? null,
    there: there.get(key) ?? null,
  }));
  const titles = titlesOf(pairs);
  const lines = pairs.map((pair, place) => comparedSeries(pair, titles[place]!, currency));
  return {
    total: bill.total,
    with_total: other.total,
    difference: differenceOf(decimal(bill.total), decimal(other.total), currency),
    lines: [...lines.sort(byDifference), comparedTax(bill, other, currency)],
  };
}

type Pair = { here: SeriesOfBill | null; there: SeriesOfBill | null };

/** The first line of a series and its charge, by this bill where it has the series. */
function firstOf({ here, there }: Pair): SeriesOfBill['lines'][number] {
  return (here ?? there)!.lines[0]!;
}

/**
 * The titles of pairs, as on invoices. Where an invoice tells two charges apart by the words after the quantity alone,
 * a title ends with these words.
 */
function titlesOf(pairs: readonly Pair[]): string[] {
  const charges = pairs.map((pair) => firstOf(pair).charge);
  const titled = withTitles(charges.filter((charge): charge is RatedCharge => charge !== null));
  const alike = groupedBy(titled, ({ title }) => title);
  let next = 0;
  return pairs.map((pair, place) => {
    if (charges[place] === null) return titleWithoutCharge(firstOf(pair).line);
    const charge = titled[next++]!;
    const is_clear = alike.get(charge.title)!.length === 1 || !isMetered(charge.pricing);
    return is_clear ? charge.title : `${charge.title}${countedWords(charge, '0')}`;
  });
}

/** An item by its description; a period line without its period. */
function titleWithoutCharge({ type, description, discounts }: BilledLine): string {
  if (type === 'minimum') return 'Minimum';
  return type === 'discount' ? discounts[0]!.name : description;
}

function comparedSeries(pair: Pair, title: string, currency: string): ComparedLine {
  const { here, there } = pair;
  const { line, charge } = firstOf(pair);
  const [amount, with_amount] = [totalOf(here), totalOf(there)];
  return {
    title,
    kind: kindOf(line),
    event_name: charge?.event_name ?? null,
    group: charge?.series.group ?? null,
    amount: toAmount(amount, currency),
    with_amount: toAmount(with_amount, currency),
    difference: differenceOf(amount, with_amount, currency),
    quantity: here?.own?.quantity ?? null,
    with_quantity: there?.own?.quantity ?? null,
    causes: causesOfSeries(here, there, currency),
  };
}

function kindOf({ type }: BilledLine): ComparedLine['kind'] {
  if (type === 'usage' || type === 'late_usage') return 'usage';
  return type === 'flat' ? 'fee' : type;
}

function comparedTax(bill: Bill, other: Bill, currency: string): ComparedLine {
  const [amount, with_amount] = [decimal(bill.tax.amount), decimal(other.tax.amount)];
  return {
    title: 'Tax',
    kind: 'tax',
    event_name: null,
    group: null,
    amount: bill.tax.amount,
    with_amount: other.tax.amount,
    difference: differenceOf(amount, with_amount, currency),
    quantity: null,
    with_quantity: null,
    causes: causesOfTax(bill, other, currency),
  };
}

function differenceOf(amount: Decimal, with_amount: Decimal, currency: string): string {
  return toAmount(amount.minus(with_amount), currency);
}

/** The greatest difference first, of either sign; equal ones stay in the order of the lines. */
function byDifference(a: ComparedLine, b: ComparedLine): number {
  return sizeOf(b).cmp(sizeOf(a));
}

function sizeOf({ difference }: ComparedLine): Decimal {
  const size = decimal(difference);
  return size.lt(ZERO) ? ZERO.minus(size) : size;
}
