import assert from 'node:assert/strict';
import fc from 'fast-check';
import { amountInWords, dayInLanguage } from '../../../src/domain/email/formats.ts';
import { LANGUAGES, type Language } from '../../../src/domain/email/language.ts';

describe('formats of emails', () => {
  const AMOUNTS: [language: Language, amount: string, currency: string, words: string][] = [
    ['en', '1234.50', 'EUR', 'EUR 1,234.50'],
    ['de', '1234.50', 'EUR', '1.234,50 EUR'],
    ['fr', '1234567.50', 'EUR', '1 234 567,50 EUR'],
    ['it', '12345.50', 'EUR', '12.345,50 EUR'],
    // Spanish has no point in four digits.
    ['es', '1234.50', 'EUR', '1234,50 EUR'],
    ['es', '12345.50', 'EUR', '12.345,50 EUR'],
    ['nl', '1234.50', 'EUR', 'EUR 1.234,50'],
    ['en', '1200', 'JPY', 'JPY 1,200'],
    ['de', '1.234', 'KWD', '1,234 KWD'],
    ['en', '0.00', 'USD', 'USD 0.00'],
    ['en', '-0.50', 'USD', '-USD 0.50'],
    ['en', '12345678901234567890.12', 'USD', 'USD 12,345,678,901,234,567,890.12'],
  ];
  for (const [language, amount, currency, words] of AMOUNTS)
    it(`${amount} ${currency} in ${language} is ${words}`, () =>
      assert.equal(amountInWords(amount, currency, language).replace(/[\u00a0\u202f]/g, ' '), words));

  it('an amount keeps all digits in every language', () => {
    const anAmount = fc
      .tuple(fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.bigInt({ min: 0n, max: 99n }))
      .map(([whole, cents]) => `${whole}.${`${cents}`.padStart(2, '0')}`);
    fc.assert(
      fc.property(anAmount, fc.constantFrom(...LANGUAGES), (amount, language) => {
        assert.equal(amountInWords(amount, 'EUR', language).replace(/\D/g, ''), amount.replace('.', ''));
      }),
    );
  });

  const DAYS: [language: Language, day: string, words: string][] = [
    ['en', '2026-03-10', '10 March 2026'],
    ['de', '2026-03-10', '10. März 2026'],
    ['fr', '2026-03-10', '10 mars 2026'],
    ['fr', '2026-03-01', '1er mars 2026'],
    ['it', '2026-03-08', '8 marzo 2026'],
    ['es', '2026-03-10', '10 de marzo de 2026'],
    ['nl', '2026-12-31', '31 december 2026'],
  ];
  for (const [language, day, words] of DAYS)
    it(`${day} in ${language} is ${words}`, () => assert.equal(dayInLanguage(day, language), words));
});
