import type { Invoice } from '../../objects/invoice.ts';
import { withTitles } from '../../domain/lines/charge-title.ts';
import { totalOf } from '../../domain/money/figures.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import type { Charge } from '../../domain/pricing/charge.ts';
import { ALL, pricingOfLine } from '../../domain/pricing/series.ts';

type Line = Invoice['line_items'][number];

/** The lines of charges that have one title, such as those of two plans: how many they are, and what they sum to. */
export type ChargeSum = { title: string; lines: number; amount: string };

/** The titles of sums of lines without a charge, by their type. */
const WITHOUT_CHARGE: Partial<Record<Line['type'], string>> = { discount: 'Discounts', minimum: 'Minimum' };
const ITEMS = 'Other items';

/**
 * Sums of an invoice's lines by charge, in the order of the first lines; all groups and prices of a charge, and its
 * late usage, are one. Items have one sum, as have discounts of an amount, and minimums.
 */
export function sumsByCharge(lines: readonly Line[], charges: readonly Charge[]): ChargeSum[] {
  const titles = titlesOf(lines, charges);
  const titleOf = ({ charge_id, type }: Line) =>
    charge_id === null ? (WITHOUT_CHARGE[type] ?? ITEMS) : (titles.get(charge_id) ?? charge_id);
  return [...groupedBy(lines, titleOf)].map(([title, of_charge]) => ({
    title,
    lines: of_charge.length,
    amount: totalOf(of_charge.map(({ amount }) => amount)),
  }));
}

/** The titles of charges as on invoices, without the words of a price or group. */
function titlesOf(lines: readonly Line[], charges: readonly Charge[]): Map<string, string> {
  const first_lines = new Map(lines.toReversed().map((line) => [line.charge_id, line]));
  const whole = charges.flatMap((charge) => {
    const line = first_lines.get(charge.id);
    const pricing = line === undefined ? null : pricingOfLine(charges, line);
    return pricing === null ? [] : [{ ...charge, pricing, price: null, series: ALL }];
  });
  return new Map(withTitles(whole).map(({ id, title }) => [id, title]));
}
