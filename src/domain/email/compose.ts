import { amountInWords, dayInLanguage } from './formats.ts';
import { htmlOf } from './html.ts';
import type { EmailKind } from './kind.ts';
import type { Language } from './language.ts';
import { owedLines, type OwedInvoice } from './owed-lines.ts';
import { fill, fillSubject, type PlaceholderValues } from './placeholders.ts';
import { buttonOf, replacesOf } from './texts.ts';
import type { EmailText } from './texts/wording.ts';

/**
 * Facts of a document as it is now, for its email: amounts with the decimals of the currency, `due_date` a day. Of an
 * invoice that owes nothing `amount_due` and `due_date` are null. `number` is that of the document, of a receipt the
 * payment's id, of a reminder the numbers that it names, of a statement its day; `invoices` are the numbers of the
 * invoices that it is about, none for a payment in advance.
 */
export type EmailFacts = {
  kind: EmailKind;
  language: Language;
  customer: string;
  company: string;
  currency: string;
  number: string;
  total: string;
  amount_due: string | null;
  due_date: string | null;
  invoices: readonly string[];
  /** The open invoices, of an email about all that the customer owes: then the lines of `{invoices}`. */
  owed: readonly OwedInvoice[] | null;
  method: string | null;
  /** The number of the invoice that this one replaces. */
  replaces: string | null;
};

export type ComposedEmail = { subject: string; text: string; html: string };

const PARAGRAPHS = /\n\n+/;

/**
 * An email: its text is that of the account, or textOf. `link` is an address, or `[link]` in what is stored; without
 * one its line is left out.
 */
export function compose(facts: EmailFacts, text: EmailText, link: string | null): ComposedEmail {
  const { kind, language, replaces } = facts;
  const values = { ...valuesOf(facts), link };
  const subject = fillSubject(text.subject, values);
  const sentence = replaces === null ? null : replacesOf(replaces, language);
  const paragraphs = withSentence(text.body.split(PARAGRAPHS), sentence)
    .map((paragraph) => fill(paragraph, values))
    .filter((paragraph) => paragraph !== '');
  return {
    subject,
    text: paragraphs.join('\n\n'),
    html: htmlOf({ subject, paragraphs, language, link, button: buttonOf(kind, language) }),
  };
}

/** Puts a sentence before the paragraph of the link, and at the end of a text that has none. */
function withSentence(paragraphs: readonly string[], sentence: string | null): string[] {
  if (sentence === null) return [...paragraphs];
  const place = paragraphs.findIndex((paragraph) => paragraph.includes('{link}'));
  return place === -1 ? [...paragraphs, sentence] : paragraphs.toSpliced(place, 0, sentence);
}

function valuesOf(facts: EmailFacts): Omit<PlaceholderValues, 'link'> {
  const { language, currency, customer, company, number, total, amount_due, due_date } = facts;
  const { invoices, owed, method } = facts;
  return {
    customer,
    company,
    number,
    total: amountInWords(total, currency, language),
    amount_due: amount_due === null ? null : amountInWords(amount_due, currency, language),
    due_date: due_date === null ? null : dayInLanguage(due_date, language),
    invoices: owed === null ? invoices.join(', ') || null : owedLines(owed, language) || null,
    method,
  };
}
