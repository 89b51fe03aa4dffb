import { euVat, stdnum, type Validator } from 'stdnum';
import type { TaxId, TaxIdType } from './party.ts';

/** States in the library's list of VAT numbers that are no member states. */
const NO_MEMBERS = new Set(['AD', 'CH']);
const CZECH_PERSON = /^CZ6\d{8}$/;
const SEPARATORS = /[\s.\p{Pd}\u00ad\u2212]/gu;

/**
 * The form of each type: an example for the message, and the number to store, which is null if the value has not the
 * form.
 */
const FORMS: Readonly<Record<TaxIdType, { example: string; numberOf: (value: string) => string | null }>> = {
  eu_vat: { example: 'DE136695976', numberOf: euVatOf },
  gb_vat: { example: 'GB980780684', numberOf: (value) => lettered('GB', value, stdnum['GB']!['vat']) },
  ch_uid: {
    example: 'CHE100155212',
    numberOf: (value) => compactBy(stdnum['CH']!['uid'], value) ?? compactBy(stdnum['CH']!['vat'], value),
  },
  us_ein: { example: '911144442', numberOf: (value) => compactBy(stdnum['US']!['ein'], value) },
  jp_trn: { example: 'T5835678256246', numberOf: (value) => foreign('T', value, stdnum['JP']!['cn']) },
  in_gst: { example: '27AAPFU0939F1ZV', numberOf: (value) => compactBy(stdnum['IN']!['gstin'], value) },
  au_abn: { example: '83914571673', numberOf: (value) => compactBy(stdnum['AU']!['abn'], value) },
  other: { example: '', numberOf: (value) => value },
};

/**
 * A tax id without blanks, dots and hyphens, in capitals, with the letters of its country; one of the type `other`
 * without blanks and dots alone. A sentence that follows the name of the field if it does not have the form of its
 * type. Whether somebody has the id is not looked up.
 */
export function compactTaxId(type: TaxIdType, text: string): { value: string } | { fault: string } {
  const compact = text.replace(/[\s.]/g, '');
  if (compact === '') return { fault: 'must not be blank' };
  const { numberOf, example } = FORMS[type];
  const value = numberOf(type === 'other' ? compact : text.replaceAll(SEPARATORS, '').toUpperCase());
  return value === null ? { fault: `is not a valid ${type} number, such as ${example}` } : { value };
}

/** A tax id as its country writes it on paper: CHE-107.787.577 IVA, 91-1144442; the other types as they are stored. */
export function writtenTaxId({ type, value }: TaxId): string {
  return (
    writtenBy(type)
      .find((validator) => compactBy(validator, value) !== null)
      ?.format(value) ?? value
  );
}

/** The formats in which a country writes a type; none for a type that is written as it is stored. */
function writtenBy(type: TaxId['type']) {
  if (type === 'ch_uid') return [stdnum['CH']!['uid'], stdnum['CH']!['vat']];
  return type === 'us_ein' ? [stdnum['US']!['ein']] : [];
}

/** A number behind the letters of a member state, Greece's `EL`, or Northern Ireland's `XI`. */
function euVatOf(value: string): string | null {
  const prefix = value.slice(0, 2);
  if (prefix === 'XI') return foreign('XI', value, stdnum['GB']!['vat']);
  if (CZECH_PERSON.test(value)) return isCzechPerson(value) ? value : null;
  const country = prefix === 'EL' ? 'GR' : prefix;
  if (prefix === 'GR' || NO_MEMBERS.has(country)) return null;
  const numbers = (euVat[country] ?? []).map((validator) => lettered(prefix, value, validator));
  return numbers.find((number) => number !== null) ?? null;
}

/**
 * The check digit of nine digits with 6 first, which persons without a birth number have. The library counts the 6 in.
 */
function isCzechPerson(value: string): boolean {
  const digits = Array.from(value.slice(3), Number);
  const check = digits.slice(0, -1).reduce((sum, digit, place) => sum + (8 - place) * digit, 0) % 11;
  return digits.at(-1) === (18 - ((10 - check) % 11)) % 10;
}

/** The letters of a country, which the library takes and drops, and its number. */
function lettered(letters: string, value: string, validator: Validator | undefined): string | null {
  const number = value.startsWith(letters) ? compactBy(validator, value) : null;
  return number === null ? null : letters + number;
}

/** Letters that the library does not know, and its number. */
function foreign(letters: string, value: string, validator: Validator | undefined): string | null {
  const number = value.startsWith(letters) ? compactBy(validator, value.slice(letters.length)) : null;
  return number === null ? null : letters + number;
}

function compactBy(validator: Validator | undefined, value: string): string | null {
  const checked = validator?.validate(value);
  return checked?.isValid === true ? checked.compact : null;
}
