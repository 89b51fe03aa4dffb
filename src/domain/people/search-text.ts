/** Marks the beginning and the end of a field. Folded text has no line breaks. */
const EDGE = '\n';
/** Compatibility forms may be eighteen times as long. */
const FIELD_LENGTH_MAX = 255;
/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts tell words apart, and stay. */
const ACCENTS = /[\u0300-\u036f]/gu;
/**
 * Letters that are no other letter with an accent, and that many people cannot type. `ß` and `ı` fold by their upper
 * case.
 */
const LETTERS: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ð: 'd', æ: 'ae', œ: 'oe' };
const APOSTROPHES =
  /[`\u00b4\u02b9\u02bb-\u02bf\u02ca\u02cb\u055a\u05f3\u2018-\u201b\u2032\u2035\uff07\uff40]/gu;
const HYPHENS = /[\p{Pd}\u02d7\u2043\u2212]/gu;
const SOFT_HYPHENS = /\u00ad/gu;
const BETWEEN_WORDS = /[ ,;]+/u;

/** The names of a customer that the search compares. */
export type Names = { external_id: string; name: string | null; email: string | null };

/** The text in which a customer is searched. */
export function searchTextOf({ external_id, name, email }: Names): string {
  return textOfFields([name, email, external_id]);
}

/** The text in which an object with these fields is searched: each of them folded, between line breaks. */
export function textOfFields(fields: readonly (string | null)[]): string {
  const lines = fields.flatMap((field) => (field === null ? [] : [folded(field)]));
  return [EDGE, ...lines.flatMap((line) => [line, EDGE])].join('');
}

/**
 * The patterns of a search text, the best match first, each a list of parts that it must contain: a field that is the
 * words, that begins with them, that contains them, and fields that contain each of the words. Each match is one of the
 * last pattern too. None if nothing is left of the words.
 */
export function patternsOf(words: string): string[][] {
  const part = folded(words);
  if (part === '') return [];
  const each = [...new Set(part.split(BETWEEN_WORDS).filter((word) => word !== ''))];
  const whole = [[`${EDGE}${part}${EDGE}`], [`${EDGE}${part}`], [part]];
  return each.length === 0 || each[0] === part ? whole : [...whole, each];
}

/**
 * The text without the differences of upper and lower case, accents, width and blanks, and of the kinds of apostrophe
 * and hyphen. Letter by letter, because the lower case of a sigma depends on the letters around it. From lower to upper
 * case and back, because `ẞ`, `ß` and `SS` are the same.
 */
function folded(text: string): string {
  const plain = text.replace(SOFT_HYPHENS, '').replace(APOSTROPHES, "'").replace(HYPHENS, '-');
  const letters = [...plain.normalize('NFKD').replace(ACCENTS, '')];
  const lower = letters.map((letter) => letter.toLowerCase().toUpperCase().toLowerCase());
  const typed = lower.map((letter) => LETTERS[letter] ?? letter).join('');
  const words = typed.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return [...words].slice(0, FIELD_LENGTH_MAX).join('');
}
