import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { SENT_STATEMENTS } from '../../../dev/test-servers.ts';

/** SQL that names the table of the events, or that of their keys. */
export const NAMES_EVENTS = /\b(?:from|join|into|update)\s+(?:events|event_keys)\b/;

/**
 * A statement that names events, with the function of src/db that sent it (`src/db/usage/quantities.ts quantitiesOfEvents`) and, of all
 * the values that it was sent with, the longest: lists with many elements, no filter left out.
 */
export type SentStatement = { place: string; text: string; values: unknown[] };

type Noted = { place: string | null; values: unknown[]; length: number };

const noted = new Map<string, Noted>();

/** Notes from now on what this process sends to any database. To be called once. */
export function noteStatements(): void {
  for (const { prototype } of [pg.Client, pg.Pool]) {
    const query = prototype.query as (...sent: unknown[]) => unknown;
    const noting = function (this: unknown, ...sent: unknown[]) {
      note(sent);
      return query.apply(this, sent);
    };
    Object.assign(prototype, { query: noting });
  }
}

/** Hands what this process has noted to the last process of the run, which reads it by sentStatements. */
export function keepSentStatements(): void {
  const folder = folderOfRun();
  if (folder === undefined) return;
  // JSON has no bigint.
  const text = JSON.stringify(ofProduct(), (_, value) => (typeof value === 'bigint' ? `${value}` : value));
  writeFileSync(join(folder, `${process.pid}.json`), text);
}

/** True in the process that comes after all others of `npm test`. */
export function isAfterAllTests(): boolean {
  return folderOfRun() !== undefined;
}

/** The statements that this process has sent, and those that the processes before it have kept. */
export function sentStatements(): SentStatement[] {
  const folder = folderOfRun();
  const files = folder === undefined ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));
  const others = files.map((name): SentStatement[] =>
    JSON.parse(readFileSync(join(folder!, name), 'utf8'), withBytes),
  );
  const all = new Map<string, SentStatement>();
  for (const statement of [ofProduct(), ...others].flat()) {
    const known = all.get(statement.text);
    if (known === undefined || lengthOf(statement.values) > lengthOf(known.values))
      all.set(statement.text, statement);
  }
  return [...all.values()].sort((a, b) => a.place.localeCompare(b.place) || a.text.localeCompare(b.text));
}

function folderOfRun(): string | undefined {
  return inheritedEnvironment()[SENT_STATEMENTS];
}

function ofProduct(): SentStatement[] {
  return [...noted].flatMap(([text, { place, values }]) => (place === null ? [] : [{ place, text, values }]));
}

/** Bytes are JSON as Node writes them. */
function withBytes(_: string, value: unknown): unknown {
  const are_bytes = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
  return are_bytes && 'data' in value && Array.isArray(value.data) ? Buffer.from(value.data) : value;
}

function note([statement, given]: readonly unknown[]): void {
  const is_object = typeof statement === 'object' && statement !== null;
  const text = is_object && 'text' in statement ? statement.text : statement;
  if (typeof text !== 'string' || !NAMES_EVENTS.test(text)) return;
  const sent = is_object && 'values' in statement ? statement.values : given;
  const values: unknown[] = Array.isArray(sent) ? sent : [];
  const known = noted.get(text);
  const length = lengthOf(values);
  if (known === undefined) noted.set(text, { place: placeOfSender(), values, length });
  else if (length > known.length) noted.set(text, { place: known.place, values, length });
}

function lengthOf(values: readonly unknown[]): number {
  return values.reduce<number>((sum, value) => sum + lengthOfValue(value), 0);
}

function lengthOfValue(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return typeof value === 'string' || Array.isArray(value) || Buffer.isBuffer(value) ? value.length : 1;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** Code that passes statements of others on. */
const PASSING = [
  'node_modules/',
  'src/db/connection/',
  'src/telemetry/',
  'test/support/citus/',
  'test/support/ledger/rows-read.ts',
  'test/support/ledger/watched-pool.ts',
];
const FRAME = /^ *at (?:async )?(?:(?:<anonymous>|(\S+)) \()?(?:file:\/\/)?(\/[^:]+):\d+:\d+\)?$/;

/** The function of src/db that sends a statement now; null if a test does. */
function placeOfSender(): string | null {
  const before = Error.stackTraceLimit;
  Error.stackTraceLimit = 50;
  const { stack = '' } = new Error();
  Error.stackTraceLimit = before;
  const frames = stack.split('\n').flatMap((line) => {
    const [, name = '', path = ''] = FRAME.exec(line) ?? [];
    const file = path.slice(ROOT.length);
    const is_ours = path.startsWith(ROOT) && !PASSING.some((passing) => file.startsWith(passing));
    return is_ours ? [{ file, name }] : [];
  });
  const [sender] = frames;
  if (sender === undefined || !sender.file.startsWith('src/db/')) return null;
  // A function without a name is in one that has a name.
  const named = frames.find(({ file, name }) => file === sender.file && name !== '');
  return `${sender.file} ${named?.name ?? ''}`.trim();
}
