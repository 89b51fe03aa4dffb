import { isAbove, isZero, negated } from '../../../../src/domain/money/figures.ts';
import type { ComparedLine, Invoice, InvoiceComparison } from '../../api/objects.ts';
import { dayAfter, endsIn } from '../../components/instant.ts';
import { grouped } from '../../components/grouped.ts';
import { monthInWords } from '../month-end/month.ts';

/** Causes as they are named beside their amounts. */
export const CAUSES: Readonly<Record<ComparedLine['causes'][number]['cause'], string>> = {
  usage: 'usage',
  price: 'price',
  credit: 'credit',
  proration: 'parts of periods',
  late: 'late usage',
  new: 'new',
  gone: 'not billed any more',
  tax_base: 'other net amount',
  tax_rate: 'other rate',
};

/** "91.65 EUR more than", "91.65 EUR less than", or "the same total as". */
export function differenceInWords({
  difference,
  currency,
}: Pick<InvoiceComparison, 'difference' | 'currency'>) {
  if (isZero(difference)) return 'The same total as';
  const is_more = isAbove(difference, '0');
  return `${grouped(is_more ? difference : negated(difference))} ${currency} ${is_more ? 'more' : 'less'} than`;
}

/** "+15.05", "-60.00", "0.00". */
export function signed(amount: string): string {
  return isAbove(amount, '0') ? `+${grouped(amount)}` : grouped(amount);
}

/** "usage +15.05, late usage +10.00". */
export function causesInWords({ causes }: Pick<ComparedLine, 'causes'>): string {
  return causes.map(({ cause, amount }) => `${CAUSES[cause]} ${signed(amount)}`).join(', ');
}

type Printed = Pick<Invoice, 'period_start' | 'period_end' | 'timezone'>;

/**
 * The period of an invoice beside another one: "January" for a month of the calendar, with its year if the other one
 * ends in another year, else the first and the last day.
 */
export function periodBeside(
  { period_start, period_end, timezone }: Printed,
  other: Pick<Printed, 'period_end'>,
): string {
  const [first, last] = endsIn(timezone, { from: period_start, to: period_end });
  const month = first.slice(0, 7);
  const is_month = first === `${month}-01` && last.startsWith(month) && dayAfter(last).endsWith('-01');
  if (!is_month) return first === last ? first : `${first} to ${last}`;
  const [, last_of_other] = endsIn(timezone, { from: period_start, to: other.period_end });
  const words = monthInWords(month);
  return last_of_other.startsWith(month.slice(0, 4)) ? words.split(' ')[0]! : words;
}

/** A comparison as text for a letter; `name` and `with_name` name both invoices. */
export function comparisonAsText(comparison: InvoiceComparison, name: string, with_name: string): string {
  const { currency, total, with_total, lines } = comparison;
  const amount = (text: string) => `${grouped(text)} ${currency}`;
  const headline = differenceInWords(comparison);
  return [
    `${name}: ${amount(total)}. ${headline} ${with_name}: ${amount(with_total)}.`,
    ...lines
      .filter((line) => line.causes.length > 0)
      .map((line) => `- ${line.title}: ${signed(line.difference)} ${currency} (${causesInWords(line)})`),
  ].join('\n');
}
