import { euVat, stdnum, type Validator } from 'stdnum';
import type { TaxIdType } from '../../src/domain/party.ts';

/** States in the library's list of VAT numbers that are no member states. */
const NO_MEMBERS = new Set(['AD', 'CH']);

/** Whether a number begins with the prefix of a member state, Greece's `EL`, or Northern Ireland's `XI`, and has its form. */
function isEuVat(value: string): boolean {
  const prefix = value.slice(0, 2);
  if (prefix === 'XI') return isValid(stdnum['GB']!['vat'], value.slice(2));
  const country = prefix === 'EL' ? 'GR' : prefix;
  if (prefix === 'GR' || NO_MEMBERS.has(country)) return false;
  return (euVat[country] ?? []).some((validator) => isValid(validator, value));
}

/** The form of each type: an example for the message, and whether a compact value, without blanks and dots, has the form. */
const FORMS: Readonly<Record<TaxIdType, { example: string; fits: (value: string) => boolean }>> = {
  eu_vat: { example: 'DE136695976', fits: isEuVat },
  gb_vat: {
    example: 'GB980780684',
    fits: (value) => value.startsWith('GB') && isValid(stdnum['GB']!['vat'], value),
  },
  ch_uid: {
    example: 'CHE-100155212',
    fits: (value) => isValid(stdnum['CH']!['uid'], value) || isValid(stdnum['CH']!['vat'], value),
  },
  us_ein: { example: '91-1144442', fits: (value) => isValid(stdnum['US']!['ein'], value) },
  jp_trn: {
    example: 'T5835678256246',
    fits: (value) => value.startsWith('T') && isValid(stdnum['JP']!['cn'], value.slice(1)),
  },
  in_gst: { example: '27AAPFU0939F1ZV', fits: (value) => isValid(stdnum['IN']!['gstin'], value) },
  au_abn: { example: '83914571673', fits: (value) => isValid(stdnum['AU']!['abn'], value) },
  other: { example: '', fits: () => true },
};

function isValid(validator: Validator | undefined, value: string): boolean {
  return validator?.validate(value).isValid === true;
}

/**
 * A tax id without blanks and dots, in capitals unless its type is `other`; a sentence that follows the name of the field if it does not
 * have the form of its type. Whether somebody has the id is not looked up.
 */
export function compactTaxId(type: TaxIdType, sent: string): { value: string } | { fault: string } {
  const compact = sent.replace(/[\s.]/g, '');
  const value = type === 'other' ? compact : compact.toUpperCase();
  if (compact === '') return { fault: 'must not be blank' };
  const { fits, example } = FORMS[type];
  return fits(value) ? { value } : { fault: `is not a valid ${type} number, such as ${example}` };
}
