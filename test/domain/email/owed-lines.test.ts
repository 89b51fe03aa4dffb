import assert from 'node:assert/strict';
import { LANGUAGES, type Language } from '../../../src/domain/email/language.ts';
import { owedLines, type OwedInvoice } from '../../../src/domain/email/owed-lines.ts';

function anInvoice(number: string): OwedInvoice {
  return { number, due_date: '2026-03-01', amount_due: '1234.50', currency: 'EUR' };
}

/** A text with blanks that break. */
function plain(text: string): string {
  return text.replace(/[\u00a0\u202f]/g, ' ');
}

describe('the lines of what is owed', () => {
  const LINES: Readonly<Record<Language, string>> = {
    en: 'INV-7, due 1 March 2026: EUR 1,234.50',
    de: 'INV-7, fällig am 1. März 2026: 1.234,50 EUR',
    fr: 'INV-7, échéance le 1er mars 2026 : 1 234,50 EUR',
    it: 'INV-7, scadenza 1 marzo 2026: 1234,50 EUR',
    es: 'INV-7, vencimiento el 1 de marzo de 2026: 1234,50 EUR',
    nl: 'INV-7, vervaldatum 1 maart 2026: EUR 1.234,50',
  };
  for (const language of LANGUAGES)
    it(`in ${language}: ${LINES[language]}`, () =>
      assert.equal(plain(owedLines([anInvoice('INV-7')], language)), LINES[language]));

  it('are one for each invoice, in their order', () => {
    const numbers = ['INV-2', 'INV-1'];
    const lines = owedLines(numbers.map(anInvoice), 'en').split('\n');
    assert.deepEqual(
      lines.map((line) => line.split(',')[0]),
      numbers,
    );
  });

  it('end after fifty, and say how many more there are', () => {
    const invoices = Array.from({ length: 53 }, (_, place) => anInvoice(`INV-${place}`));
    for (const language of LANGUAGES) {
      const fifty = owedLines(invoices.slice(0, 50), language).split('\n');
      const all = owedLines(invoices, language).split('\n');
      assert.deepEqual(all.slice(0, 50), fifty);
      assert.equal(all.length, 51);
      assert.match(all[50]!, /\b3\b/);
    }
  });
});
