/** Marks the beginning and the end of a field. Folded text has no line breaks. */
const EDGE = '\n';
/** Compatibility forms may be eighteen times as long. */
const FIELD_LENGTH_MAX = 255;
/** Accents of Latin, Greek and Cyrillic letters. Marks of other scripts tell words apart, and stay. */
const ACCENTS = /[\u0300-\u036f]/gu;

/** The names of a customer that the search compares. */
export type Names = { external_id: string; name: string | null; email: string | null };

/** The text in which a customer is searched: each field folded, between line breaks. */
export function searchTextOf({ external_id, name, email }: Names): string {
  const fields = [name, email, external_id].flatMap((field) => (field === null ? [] : [folded(field)]));
  return [EDGE, ...fields.flatMap((field) => [field, EDGE])].join('');
}

/**
 * The patterns of a search text, the best match first: a field that is the words, that begins with them, that contains them. None if
 * nothing is left of the words.
 */
export function patternsOf(words: string): string[] {
  const part = folded(words);
  return part === '' ? [] : [`${EDGE}${part}${EDGE}`, `${EDGE}${part}`, part];
}

/**
 * The text without the differences of upper and lower case, accents, width and blanks. Letter by letter, because the lower case of a sigma
 * depends on the letters around it. From lower to upper case and back, because `ẞ`, `ß` and `SS` are the same.
 */
function folded(text: string): string {
  const letters = [...text.normalize('NFKD').replace(ACCENTS, '')];
  const lower = letters.map((letter) => letter.toLowerCase().toUpperCase().toLowerCase()).join('');
  const words = lower.normalize('NFKC').replace(/\s+/gu, ' ').trim();
  return [...words].slice(0, FIELD_LENGTH_MAX).join('');
}
