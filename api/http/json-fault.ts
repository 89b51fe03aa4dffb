import type { ErrorDetail } from '../../src/domain/money/errors.ts';

/**
 * Scan position at one nesting level: in an object the current member's name (null before it is read), in an array the
 * item's index.
 */
type Level = { names: Set<string>; name: string | null } | { index: number };

/** Longest path that an error response repeats, in characters. */
const PATH_LENGTH_MAX = 200;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

/**
 * The first fault of a JSON text by the strict rules of parseJson, or null. The scan is linear, keeps its own stack and
 * stops at `depth_max`. For a text that is not JSON it returns some fault or null; it never throws.
 */
export function jsonFault(text: string, depth_max: number): ErrorDetail | null {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    let fault: ErrorDetail | null = null;
    if (character === '{') {
      levels.push({ names: new Set(), name: null });
    } else if (character === '[') {
      levels.push({ index: 0 });
    } else if (character === '}' || character === ']') {
      levels.pop();
    } else if (character === ',') {
      next(levels.at(-1));
    } else if (character === '"') {
      const start = at;
      at = stringEnd(text, at);
      fault = stringFault(levels, text.slice(start, at + 1));
    } else if (isDigit(character) || character === '-') {
      const start = at;
      while (/[\d.eE+-]/.test(text[at + 1] ?? '')) at++;
      if (!isExactNumber(text.slice(start, at + 1))) fault = numberFault(levels);
    }
    if (levels.length > depth_max) {
      return {
        param: pathOf(levels.slice(0, 4)),
        reason: 'too_deep',
        message: 'objects and arrays must not be nested deeper than 32 levels',
      };
    }
    if (fault !== null) return fault;
  }
  return null;
}

function next(level: Level | undefined): void {
  if (level === undefined) return;
  if ('index' in level) level.index++;
  else level.name = null;
}

/** Index of the closing quote; the text's length or more if there is none. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function stringFault(levels: readonly Level[], token: string): ErrorDetail | null {
  const string = decode(token);
  const level = levels.at(-1);
  const isName = level !== undefined && 'names' in level && level.name === null;
  const parent = pathOf(isName ? levels.slice(0, -1) : levels);
  if (string.includes('\0') || LONE_SURROGATE.test(string)) {
    const what = isName ? 'a member name' : 'a string';
    return {
      param: parent,
      reason: 'malformed',
      message: `${what} contains a NUL character or an unpaired surrogate`,
    };
  }
  if (!isName) return null;
  level.name = string;
  const param = pathOf(levels);
  if (string === '__proto__')
    return { param, reason: 'not_allowed', message: 'a member must not be named __proto__' };
  if (level.names.has(string)) return { param, reason: 'duplicate_member', message: `${param} occurs twice` };
  level.names.add(string);
  return null;
}

function decode(token: string): string {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return String(JSON.parse(token));
  } catch {
    return token;
  }
}

function numberFault(levels: readonly Level[]): ErrorDetail {
  const param = pathOf(levels);
  return {
    param,
    reason: 'not_exact',
    message: `${param ?? 'the number'} is not exact as a JSON number; send it as a string, or with at most 15 digits`,
  };
}

/** Path such as `events[3].properties.n`; null for the body itself. */
function pathOf(levels: readonly Level[]): string | null {
  let path = '';
  for (const level of levels) {
    if ('index' in level) path += `[${level.index}]`;
    else if (level.name !== null) path += path === '' ? level.name : `.${level.name}`;
    if (path.length > PATH_LENGTH_MAX) break;
  }
  return path === '' ? null : path.slice(0, PATH_LENGTH_MAX);
}

/**
 * Whether a double holds the number exactly, by its decimal value: 1.0 and 1e2 are exact, 2^53 + 1 and 1e400 are not.
 */
export function isExactNumber(token: string): boolean {
  return decimalOf(token) === decimalOf(String(Number(token)));
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Canonical spelling of a decimal, one per value: `-12.50` is `-125e-1`. Null if the token is not a finite number. */
function decimalOf(token: string): string | null {
  const match = NUMBER.exec(token);
  if (match === null) return null;
  const [, sign, whole, fraction = '', exponent = '0'] = match;
  const digits = (whole! + fraction).replace(/^0+/, '');
  // A loop, because /0+$/ takes quadratic time on long runs of zeros in the middle.
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  if (end === 0) return '0';
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
