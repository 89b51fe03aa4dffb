import { Temporal } from 'temporal-polyfill';
import { digitsOf } from '../money/figures.ts';
import { LOCALES, type Language } from './language.ts';

const FIRST_OF_MONTH = /^1 /;

/** An amount with its currency as the language writes it: "EUR 1,234.50", "1.234,50 EUR". All digits stay. */
export function amountInWords(amount: string, currency: string, language: Language): string {
  if (!isNumeral(amount)) throw new Error(`${amount} is not an amount`);
  const format = new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    // The sign of a dollar does not say whose dollar it is.
    currencyDisplay: 'code',
    minimumFractionDigits: digitsOf(amount),
    maximumFractionDigits: digitsOf(amount),
  });
  // A text, which Intl reads digit by digit; a number would be rounded to 15 of them.
  return format.format(amount);
}

/** A day such as 2026-03-10 as the language writes it: "10 March 2026", "10. März 2026", "1er mars 2026". */
export function dayInLanguage(day: string, language: Language): string {
  const words = Temporal.PlainDate.from(day).toLocaleString(LOCALES[language], { dateStyle: 'long' });
  return language === 'fr' ? words.replace(FIRST_OF_MONTH, '1er ') : words;
}

function isNumeral(text: string): text is `${number}` {
  return /^-?\d+(\.\d+)?$/.test(text);
}
