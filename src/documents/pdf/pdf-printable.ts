import { fontOf, type Weight } from './pdf-fonts.ts';

/**
 * Marks on one letter: accents, which fit any letter, and those that belong to a script, whose syllables may have
 * several.
 */
const ACCENTS_MAX = 3;
const MARKS_MAX = 8;

const NEEDS_NO_WORK = /^[\x21-\x7e]*$/;
const ISOLATES = /^[\u2066-\u2069]+$/;
const MARK = /\p{M}/u;
const ACCENT = '(?:(?=\\p{Script=Inherited})\\p{M})';
const JOINER = /[\u200c\u200d]/;

export const characters = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * The printable form of a text: without control characters, direction marks other than isolates, and towers of accents
 * and marks. A character that no font has is printed as its code, "[U+1F600]", because a blank would hide it.
 */
export function printable(text: string, weight: Weight): string {
  if (NEEDS_NO_WORK.test(text)) return text;
  const plain = text
    .normalize('NFC')
    .replaceAll(/(?![\u200c\u200d\u2066-\u2069])[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .replaceAll(/[\p{Cc}\p{Z}]+/gu, ' ')
    .replaceAll(new RegExp(`(${ACCENT}{${ACCENTS_MAX}})${ACCENT}+`, 'gu'), '$1')
    .replaceAll(new RegExp(`(\\p{M}{${MARKS_MAX}})\\p{M}+`, 'gu'), '$1')
    .trim();
  return withCodes(plain, weight);
}

function withCodes(text: string, weight: Weight): string {
  const printablePart = (part: string): string => {
    if (JOINER.test(part)) return '';
    if (!MARK.test(part) && fontOf(part, weight) !== null) return part;
    return `[U+${part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
  };
  return Array.from(characters.segment(text), ({ segment }) =>
    ISOLATES.test(segment) || fontOf(segment, weight) !== null
      ? segment
      : Array.from(segment, printablePart).join(''),
  ).join('');
}
