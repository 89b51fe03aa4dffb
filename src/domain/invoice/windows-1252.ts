/** The characters from 0x80 to 0x9f; five of these places have none. */
const FROM_80 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const LATIN = /^[\u0000-\u007f\u00a0-\u00ff]*$/;
const MARK = /\p{M}/u;

/**
 * A text in Windows-1252, each byte as the character of its number. A character that it lacks stands without its marks,
 * else as `?`.
 */
export function windows1252(text: string): string {
  if (LATIN.test(text)) return text;
  return [...text.normalize('NFC')].map((character) => byteOf(character) ?? plain(character)).join('');
}

function byteOf(character: string): string | null {
  if (LATIN.test(character)) return character;
  const place = FROM_80.indexOf(character);
  if (place < 0 || (character >= '\u0080' && character <= '\u009f')) return null;
  return String.fromCharCode(0x80 + place);
}

function plain(character: string): string {
  const bytes = [...character.normalize('NFD')].filter((part) => !MARK.test(part)).map(byteOf);
  return bytes.includes(null) ? '?' : bytes.join('');
}
