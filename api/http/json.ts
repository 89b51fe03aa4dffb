import { isUtf8 } from 'node:buffer';
import { BillingError, invalid } from '../../src/domain/errors.ts';
import { isExactNumber, jsonFault } from './json-fault.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Levels inside `properties` or `metadata`, which is the first of them itself. */
const FREE_OBJECT_DEPTH_MAX = 32;
/** A number of so many digits always comes back from a double as it was. */
const EXACT_DIGITS = 15;

/**
 * Reads a body strictly: what two readers could read differently is refused, so that two different bodies never become equal
 * (contract.md 1). Throws invalid_request for bytes that are not UTF-8, faults of syntax, duplicate members, `__proto__`, NUL,
 * lone surrogates, numbers that a double does not hold exactly, and depth.
 * `free_object_level` says where `properties` or `metadata` lies: 2 in a body, 4 in a batch.
 */
export function parseJson(bytes: Buffer, free_object_level = 2): unknown {
  if (!isUtf8(bytes)) throw invalid(null, 'malformed', 'the body is not valid UTF-8');
  const depth_max = FREE_OBJECT_DEPTH_MAX + free_object_level - 1;
  const text = bytes.toString('utf8');
  const survey = surveyOf(bytes);
  // Before the parser, because what it builds of a million levels is not small.
  if (survey.depth > depth_max) throw faultOf(text, depth_max) ?? syntaxFault();
  const value = parse(text);
  if (!survey.suspicious && membersOf(value) === survey.members) return value;
  const fault = faultOf(text, depth_max);
  if (fault !== null) throw fault;
  return value;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid(null, 'missing', 'the body is missing: a JSON object is expected');
  try {
    return JSON.parse(text);
  } catch {
    throw syntaxFault();
  }
}

function syntaxFault(): BillingError {
  return invalid(null, 'malformed', 'the body is not valid JSON');
}

function faultOf(text: string, depth_max: number): BillingError | null {
  const fault = jsonFault(text, depth_max);
  return fault === null ? null : new BillingError('invalid_request', [fault]);
}

type Survey = { members: number; depth: number; suspicious: boolean };

const [QUOTE, BACKSLASH, COLON, POINT, ZERO, NINE] = [0x22, 0x5c, 0x3a, 0x2e, 0x30, 0x39];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];
const [LETTER_D, LETTER_E, LETTER_U] = [0x64, 0x65, 0x75];
/** The bit that makes a letter lower-case. */
const LOWER_CASE = 0x20;

/**
 * One pass over the bytes: how many members there are, how deep they lie, and whether something needs a closer look. A good
 * body costs this and no more; jsonFault then says what is wrong and where.
 */
function surveyOf(bytes: Buffer): Survey {
  const survey = { members: 0, depth: 0, suspicious: false };
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) {
        if (bytes[at] === BACKSLASH && isSuspiciousEscape(bytes, ++at)) survey.suspicious = true;
      }
    } else if (byte === COLON) {
      survey.members++;
    } else if (byte >= ZERO && byte <= NINE) {
      const start = at;
      while (isInNumber(bytes[at + 1])) at++;
      if (!isPlainNumber(bytes, start, at + 1)) survey.suspicious = true;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > survey.depth) survey.depth = depth;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
    }
  }
  return survey;
}

function isInNumber(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= ZERO && byte <= NINE) || byte === POINT);
}

/** What stands before the exponent is looked at, so a number that has one is never plain. */
function isPlainNumber(bytes: Buffer, start: number, end: number): boolean {
  const next = bytes[end];
  if (next !== undefined && (next | LOWER_CASE) === LETTER_E) return false;
  return end - start <= EXACT_DIGITS || isExactNumber(bytes.toString('latin1', start, end));
}

/** `\u0000`, and half of a surrogate pair, from the letter behind the backslash. */
function isSuspiciousEscape(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== LETTER_U) return false;
  const first = bytes[at + 1];
  return first === ZERO
    ? bytes.toString('latin1', at + 1, at + 5) === '0000'
    : first !== undefined && (first | LOWER_CASE) === LETTER_D;
}

/** Members of a value that the parser kept: of two with one name it kept one. NaN where a member is named `__proto__`. */
function membersOf(value: unknown): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += membersOf(item);
    return members;
  }
  if (!isObject(value)) return 0;
  // What the parser made inherits nothing that this would see; Object.entries takes four times as long.
  for (const name in value) {
    if (name === '__proto__') return NaN;
    const member = value[name];
    members += 1 + (typeof member === 'object' ? membersOf(member) : 0);
  }
  return members;
}
