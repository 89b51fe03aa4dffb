import { type Decimal, ZERO, decimal } from '../money/decimal.ts';
import { toAmount } from '../money/money.ts';
import { taxOf } from '../money/tax.ts';
import type { OwnPart, SeriesOfBill } from './bill-series.ts';

/** Why a line of a bill differs from that of another bill (contract.md 4), in the order in which they are named. */
export const CAUSES = [
  'usage',
  'price',
  'credit',
  'proration',
  'late',
  'new',
  'gone',
  'tax_base',
  'tax_rate',
] as const;
export type Cause = (typeof CAUSES)[number];

/** A part of a difference, in the currency's minor digits; never zero. */
export type CausedAmount = { cause: Cause; amount: string };

type Parts = readonly (readonly [Cause, Decimal])[];

/** The causes of the difference of a series, which add up to it. Null: a bill lacks the series; one of them has it. */
export function causesOfSeries(
  here: SeriesOfBill | null,
  there: SeriesOfBill | null,
  currency: string,
): CausedAmount[] {
  if (there === null) return named([['new', totalOf(here)]], currency);
  if (here === null) return named([['gone', ZERO.minus(totalOf(there))]], currency);
  return named([...ofOwn(here.own, there.own), ['late', here.late.minus(there.late)]], currency);
}

/** The amount of all lines of a series; zero where a bill lacks it. */
export function totalOf(series: SeriesOfBill | null): Decimal {
  return series === null ? ZERO : (series.own?.amount ?? ZERO).plus(series.late);
}

/** Late lines may stand alone on a bill. */
function ofOwn(here: OwnPart | null, there: OwnPart | null): Parts {
  if (here === null || there === null)
    return [
      ['new', here?.amount ?? ZERO],
      ['gone', ZERO.minus(there?.amount ?? ZERO)],
    ];
  // A period line follows what the other lines come to.
  if (here.is_of_period) return [['usage', here.amount.minus(there.amount)]];
  const before = there.priceOf(there.quantity, '0');
  const used = there.priceOf(here.quantity, '0');
  const now = here.priceOf(here.quantity, '0');
  const [covered, covered_before] = [priceOf(here), priceOf(there)];
  return [
    ['usage', used.minus(before)],
    ['price', now.minus(used)],
    ['credit', covered.minus(now).minus(covered_before.minus(before))],
    ['proration', here.amount.minus(covered).minus(there.amount.minus(covered_before))],
  ];
}

function priceOf({ priceOf: ofBill, quantity, credit }: OwnPart): Decimal {
  return ofBill(quantity, credit);
}

/** The net amount of a bill, and its tax; `rate` in percent. */
export type TaxedBill = { subtotal: string; tax: { rate: string; amount: string } };

/** The causes of the difference of the tax: another net amount by the other bill's rate, and the rest. */
export function causesOfTax(here: TaxedBill, there: TaxedBill, currency: string): CausedAmount[] {
  const by_other_rate = decimal(taxOf(decimal(here.subtotal), there.tax.rate, currency));
  return named(
    [
      ['tax_base', by_other_rate.minus(there.tax.amount)],
      ['tax_rate', decimal(here.tax.amount).minus(by_other_rate)],
    ],
    currency,
  );
}

function named(parts: Parts, currency: string): CausedAmount[] {
  const amounts = new Map(parts);
  return CAUSES.flatMap((cause) => {
    const amount = amounts.get(cause) ?? ZERO;
    return amount.eq(ZERO) ? [] : [{ cause, amount: toAmount(amount, currency) }];
  });
}
