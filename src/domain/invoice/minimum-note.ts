import { creditShares, notesOf, type AutomaticNote, type Bills, type Correction } from './automatic-note.ts';
import { periodInWords } from '../lines/description.ts';
import { periodLineKey } from '../lines/line-item.ts';
import { ZERO } from '../money/decimal.ts';
import { latest } from '../time/period.ts';
import { minimumBeyond, type PeriodTerms } from './period-lines.ts';

/**
 * The notes on the invoices that have minimums which are too much: one for each full period and invoice, the oldest
 * period first (billing.md 13); `is_of_issue` if an issue makes them.
 */
export function notesOfMinimums(
  corrections: readonly Correction[],
  bills: Bills & { timezone: string },
  is_of_issue: boolean,
): AutomaticNote[] {
  const credited = creditShares(corrections, bills).filter((shares) => shares.length > 0);
  const groups = credited.map((shares) => {
    const period_start = shares[0]!.full_period_start;
    // As billed, also where an end has cut it since.
    const period_end = shares.map(({ line }) => line.period_end).reduce(latest);
    const reason = `Minimum ${periodInWords({ period_start, period_end }, bills.timezone)} corrected`;
    return { shares, reason, settle: 'balance' as const, is_of_issue };
  });
  return notesOf(groups, bills.invoices);
}

/** Amounts of minimums that are too much, of full periods that are shorter than they were billed (billing.md 13). */
export function minimumCorrections(
  periods: readonly PeriodTerms[],
  { invoices, currency }: Pick<Bills, 'invoices' | 'currency'>,
): Correction[] {
  return periods.flatMap((terms): Correction[] => {
    const { period_start: full_period_start, period_end } = terms.full_period;
    const line_key = periodLineKey({ discount_id: null, full_period_start });
    const lines = invoices.flatMap((invoice) => invoice.lines.filter((line) => line.line_key === line_key));
    const amount = minimumBeyond(terms, currency);
    const is_shorter = lines.some((line) => line.period_end > period_end);
    return is_shorter && amount.gt(ZERO) ? [{ line_key, full_period_start, amount }] : [];
  });
}
