import { amountInWords, dayInLanguage } from './formats.ts';
import type { Language } from './language.ts';

/** An open invoice as an email lists it. */
export type OwedInvoice = { number: string; due_date: string; amount_due: string; currency: string };

/** Lines of one email; what is owed beyond them stands in the portal. */
const LINES_MAX = 50;

type Words = {
  line: (number: string, day: string, amount: string) => string;
  more: (count: number) => string;
};

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    line: (number, day, amount) => `${number}, due ${day}: ${amount}`,
    more: (count) => `and ${count} more`,
  },
  de: {
    line: (number, day, amount) => `${number}, fällig am ${day}: ${amount}`,
    more: (count) => `und ${count} weitere`,
  },
  fr: {
    line: (number, day, amount) => `${number}, échéance le ${day}\u00a0: ${amount}`,
    more: (count) => `et ${count} de plus`,
  },
  it: {
    line: (number, day, amount) => `${number}, scadenza ${day}: ${amount}`,
    more: (count) => `e altre ${count}`,
  },
  es: {
    line: (number, day, amount) => `${number}, vencimiento el ${day}: ${amount}`,
    more: (count) => `y ${count} más`,
  },
  nl: {
    line: (number, day, amount) => `${number}, vervaldatum ${day}: ${amount}`,
    more: (count) => `en nog ${count}`,
  },
};

/**
 * The lines of `{invoices}` in an email about all that is owed, in the order of the invoices: "INV-000007, due 10 March
 * 2026: EUR 100.00". Beyond the first 50 a last line says how many more there are.
 */
export function owedLines(invoices: readonly OwedInvoice[], language: Language): string {
  const { line, more } = WORDS[language];
  const shown = invoices.slice(0, LINES_MAX);
  const lines = shown.map(({ number, due_date, amount_due, currency }) =>
    line(number, dayInLanguage(due_date, language), amountInWords(amount_due, currency, language)),
  );
  const left = invoices.length - shown.length;
  return [...lines, ...(left > 0 ? [more(left)] : [])].join('\n');
}
