import { pricingOfLine } from '../../domain/pricing/series.ts';
import type { Invoice } from '../../objects/invoice.ts';
import type { Charge } from '../../domain/pricing/charge.ts';
import { modelOf, type Pricing } from '../../domain/pricing/definitions.ts';
import type { Tier } from '../../domain/pricing/tiers.ts';
import { decimal } from '../../domain/money/decimal.ts';
import { grouped, spanInWords } from '../../domain/lines/description.ts';
import { discountWords } from '../../domain/lines/discount-words.ts';
import { isZero, negated } from '../../domain/money/figures.ts';
import { exactAmount } from '../../domain/money/money.ts';
import { unitPriceOf } from '../../domain/pricing/unit-price.ts';
import type { PricedTier } from '../../domain/pricing/price.ts';
import { sumsByCharge } from './charge-sums.ts';
import { withoutZone } from './named-zone.ts';
import { GREY, INK, WIDTH } from './pdf-paper.ts';
import type { Column, Row } from './pdf-table.ts';
import type { Style } from './pdf-text.ts';

type Line = Invoice['line_items'][number];
export type Prices = { charges: readonly Charge[]; currency: string; timezone: string };

/**
 * The row of a line, below it one for its discounts, where there are some, and one for each tier, or for each stretch
 * of a fee with a quantity and for what was billed before.
 */
export type LineRows = { line: Row; discounts: Row[]; tiers: Row[] };

const HEAD: Style = { weight: 'bold', size: 8, color: INK };
const LINE: Style = { weight: 'regular', size: 8.5, color: INK };
const STRONG: Style = { ...LINE, weight: 'bold' };
const TIER: Style = { weight: 'regular', size: 7.5, color: GREY };
const INDENT = 12;

/** Description, quantity, credit, price, amount. */
export const COLUMNS: readonly Column[] = [
  { width: WIDTH - 314, align: 'left' },
  { width: 84, align: 'right' },
  { width: 64, align: 'right' },
  { width: 82, align: 'right' },
  { width: 84, align: 'right' },
];

export function headOf(currency: string): Row {
  return {
    cells: ['Description', 'Quantity', 'Credit used', 'Unit price', `Amount (${currency})`],
    style: HEAD,
    is_head: true,
  };
}

/** Rows with the sums of lines by charge, and the subtotal. */
export function rowsOfSums(lines: readonly Line[], charges: readonly Charge[], subtotal: string): Row[] {
  const sums = sumsByCharge(lines, charges).map(({ title, lines: count, amount }): Row => {
    const counted = `${grouped(`${count}`)} line${count === 1 ? '' : 's'}`;
    return { cells: [title, counted, '', '', grouped(amount)], style: LINE, has_rule: true };
  });
  const total: Row = { cells: ['Subtotal', '', '', '', grouped(subtotal)], style: STRONG, has_rule: true };
  return [...sums, total];
}

/** The titles above the sums, and above the lines that follow them. */
export const SUMS_TITLE: Row = { cells: ['Sums by charge'], style: STRONG };
export const LINES_TITLE: Row = { cells: ['Lines'], style: STRONG, has_rule: true };

/** The row between the head and tiers whose line is on the page before. */
export const CONTINUED: Row = { cells: ['(continued)'], style: TIER, indent: INDENT };

export function rowsOfLine(line: Line, prices: Prices): LineRows {
  const pricing = pricingOfLine(prices.charges, line);
  const credit = line.credits_applied === '0' ? '' : grouped(line.credits_applied);
  const price = unitPriceText(line, pricing, prices.currency);
  const description = withoutZone(line.description, prices.timezone);
  return {
    line: {
      cells: [description, grouped(line.quantity), credit, price, grouped(line.amount)],
      style: LINE,
      has_rule: true,
    },
    discounts: discountRows(line),
    tiers: [
      ...(line.tiers ?? []).map((tier) => tierRow(tier, pricing, prices.currency)),
      ...stretchRows(line, prices.timezone),
    ],
  };
}

/**
 * The unit price of a line without a charge and of a flat line (billing.md 9), else the price in the words of the
 * pricing model; empty for usage of a charge that is not known.
 */
function unitPriceText(line: Line, pricing: Pricing | null, currency: string): string {
  if (line.charge_id === null || line.type === 'flat')
    return priceText(unitPriceOf(line, pricing)!.unit_price, currency);
  const amount = (text: string) => priceText(text, currency);
  return pricing === null ? '' : modelOf(pricing).unitPrice({ quantity: grouped, amount });
}

/** "10 % Loyalty, 90.00 before": tiers below it sum to the amount before. */
function discountRows(line: Line): Row[] {
  const words = discountWords(line, grouped);
  return words === null ? [] : [{ cells: [words], style: TIER, indent: INDENT }];
}

/** None for a fee with one quantity of which nothing was billed before: the line itself says it. */
function stretchRows({ stretches, billed_before }: Line, timezone: string): Row[] {
  if (stretches === null || billed_before === null) return [];
  const has_before = !isZero(billed_before);
  if (stretches.length === 1 && !has_before) return [];
  const rows = stretches.map(({ quantity, amount, ...time }) => [
    spanInWords(time, timezone),
    grouped(quantity),
    '',
    '',
    grouped(amount),
  ]);
  const before = has_before ? [['billed before', '', '', '', grouped(negated(billed_before))]] : [];
  return [...rows, ...before].map((cells) => ({ cells, style: TIER, indent: INDENT }));
}

function tierRow(
  { up_to, quantity, flat_amount, unit_amount, amount }: PricedTier,
  pricing: Pricing | null,
  currency: string,
): Row {
  const range = tierRange(up_to, pricing !== null && 'tiers' in pricing ? pricing.tiers : []);
  const flat = isZero(flat_amount) ? '' : `, plus ${grouped(flat_amount)}`;
  const price = priceText(unit_amount, currency);
  return {
    cells: [`${range}${flat}`, grouped(quantity), '', price, grouped(amount)],
    style: TIER,
    indent: INDENT,
  };
}

/** "up to 1,000", "over 1,000 to 10,000", "over 10,000": the lower bound is the end of the tier before. */
function tierRange(up_to: string | null, tiers: readonly Tier[]): string {
  const place = tiers.findIndex((tier) => tier.up_to === up_to);
  const over = tiers[place - 1]?.up_to ?? null;
  const end = up_to === null ? null : grouped(up_to);
  if (over === null) return end === null ? 'all' : `up to ${end}`;
  return end === null ? `over ${grouped(over)}` : `over ${grouped(over)} to ${end}`;
}

/** The price in full, with the minor digits at least: "0.10", "0.000025". */
function priceText(price: string, currency: string): string {
  return grouped(exactAmount(decimal(price), currency));
}
