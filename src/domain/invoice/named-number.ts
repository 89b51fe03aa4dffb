/** Digits that the count of a number has at least (billing.md 7). */
const COUNT_DIGITS_MIN = 6;

/** A text without blanks and hyphens, in upper case, and whether a digit stands right beside a place of it. */
type Compact = {
  text: string;
  /** Whether a digit goes right before each character, and whether one follows right behind it; blanks count here. */
  after_digit: readonly boolean[];
  before_digit: readonly boolean[];
};

const IGNORED = /[\s\p{Dash_Punctuation}]/u;
const DIGIT = /^[0-9]$/;

function compactOf(text: string): Compact {
  const characters = [...text.toUpperCase()];
  const kept = [...characters.keys()].filter((place) => !IGNORED.test(characters[place]!));
  const isDigitAt = (place: number) => DIGIT.test(characters[place] ?? '');
  return {
    text: kept.map((place) => characters[place]).join(''),
    after_digit: kept.flatMap((place) => unitsOf(characters[place]!, isDigitAt(place - 1))),
    before_digit: kept.flatMap((place) => unitsOf(characters[place]!, isDigitAt(place + 1))),
  };
}

/** A value for each UTF-16 unit of a character, by which places of texts are counted. */
function unitsOf(character: string, value: boolean): boolean[] {
  return Array.from({ length: character.length }, () => value);
}

/**
 * The counts, as text, up to `last` of the invoice numbers that may stand in a text, whatever their prefixes: each ends
 * with a digit behind which none follows, and has six digits or begins with another one than 0.
 */
export function countsIn(text: string, last: string): Set<string> {
  const compact = compactOf(text);
  const counts = new Set<string>();
  const greatest = BigInt(last);
  for (const [end, follows] of compact.before_digit.entries()) {
    if (follows) continue;
    for (let start = end; DIGIT.test(compact.text[start] ?? ''); start -= 1) {
      const digits = compact.text.slice(start, end + 1);
      if (digits.length < COUNT_DIGITS_MIN) continue;
      const count = BigInt(digits);
      if (count > greatest) break;
      if (count > 0n && (digits.length === COUNT_DIGITS_MIN || !digits.startsWith('0')))
        counts.add(`${count}`);
    }
  }
  return counts;
}

/**
 * Whether a text has the number of a document. Case, blanks and hyphens do not count. Behind the number no digit
 * follows, and before one that begins with a digit none goes.
 */
export function hasNumber(text: string, number: string): boolean {
  const compact = compactOf(text);
  const { text: wanted } = compactOf(number);
  const begins_with_digit = DIGIT.test(wanted[0] ?? '');
  for (let at = compact.text.indexOf(wanted); at >= 0; at = compact.text.indexOf(wanted, at + 1)) {
    const is_begun = !begins_with_digit || !compact.after_digit[at]!;
    if (is_begun && !compact.before_digit[at + wanted.length - 1]!) return true;
  }
  return false;
}
