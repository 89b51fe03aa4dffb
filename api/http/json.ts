import { isUtf8 } from 'node:buffer';
import { BillingError, invalid } from '../../src/domain/money/errors.ts';
import { isExactNumber, jsonFault } from './json-fault.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Nesting levels of `properties` or `metadata`; the object itself is the first level. */
const FREE_OBJECT_DEPTH_MAX = 32;
/** A double holds every decimal with this many digits exactly. */
const EXACT_DIGITS = 15;

/**
 * Parses a body strictly: it refuses anything that two JSON readers could read differently, so that two different
 * bodies never become equal (contract.md 1). Throws invalid_request for invalid UTF-8, syntax errors, duplicate
 * members, `__proto__`, NUL, lone surrogates, numbers that a double does not hold exactly, and too many levels.
 * `free_object_level` is the nesting level of `properties` or `metadata`: 2 in a body, 4 in a batch.
 */
export function parseJson(bytes: Buffer, free_object_level = 2): unknown {
  if (!isUtf8(bytes)) throw invalid(null, 'malformed', 'the body is not valid UTF-8');
  const depth_max = FREE_OBJECT_DEPTH_MAX + free_object_level - 1;
  const text = bytes.toString('utf8');
  const survey = surveyOf(bytes);
  // Before JSON.parse, which would need much memory for a million levels.
  if (survey.depth > depth_max) throw faultOf(text, depth_max) ?? syntaxFault();
  const value = parse(text);
  if (!survey.suspicious && membersOf(value) === survey.members) return value;
  const fault = faultOf(text, depth_max);
  if (fault !== null) throw fault;
  return value;
}

/** Whether a value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(text: string): unknown {
  if (text.trim() === '') throw invalid(null, 'missing', 'the body is missing; send a JSON object');
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
/** The bit that turns an ASCII letter into lower case. */
const LOWER_CASE = 0x20;

/**
 * One pass over the bytes: counts members and nesting levels and flags anything suspicious. Only a body that fails
 * these checks needs jsonFault, which finds the fault and its path.
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

/**
 * Whether a double holds a number exactly, by its digits. A number with an exponent is never plain: `end` is before the
 * exponent.
 */
function isPlainNumber(bytes: Buffer, start: number, end: number): boolean {
  const next = bytes[end];
  if (next !== undefined && (next | LOWER_CASE) === LETTER_E) return false;
  return end - start <= EXACT_DIGITS || isExactNumber(bytes.toString('latin1', start, end));
}

/** Whether an escape is `\u0000` or may be half of a surrogate pair; `at` is the letter after the backslash. */
function isSuspiciousEscape(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== LETTER_U) return false;
  const first = bytes[at + 1];
  return first === ZERO
    ? bytes.toString('latin1', at + 1, at + 5) === '0000'
    : first !== undefined && (first | LOWER_CASE) === LETTER_D;
}

/**
 * Number of members that JSON.parse kept: of two with the same name it keeps one. NaN if a member is named `__proto__`.
 */
function membersOf(value: unknown): number {
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += membersOf(item);
    return members;
  }
  if (!isObject(value)) return 0;
  // Objects from JSON.parse inherit no enumerable member, so for...in is safe; Object.entries takes four times as long.
  for (const name in value) {
    if (name === '__proto__') return NaN;
    const member = value[name];
    members += 1 + (typeof member === 'object' ? membersOf(member) : 0);
  }
  return members;
}
