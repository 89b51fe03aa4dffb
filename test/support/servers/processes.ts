import { argv } from 'node:process';

const OPTION = /^--processes=(.*)$/;

/** Number of API servers and of workers behind a test's requests, on one database: `npm test -- --processes=2 test/api`. */
export const PROCESSES = processesOf(argv);

function processesOf(args: readonly string[]): number {
  const text = args.map((arg) => OPTION.exec(arg)?.[1]).find((found) => found !== undefined) ?? '1';
  if (/^[1-9]$/.test(text)) return Number(text);
  throw new Error(`--processes must be a number from 1 to 9, not "${text}"`);
}

/** Returns a function that gives the items in rotation. */
export function inTurn<T>(items: readonly T[]): () => T {
  let given = 0;
  return () => items[given++ % items.length]!;
}
