import { parseArgs } from 'node:util';
import { messageOf } from '../../src/process/message-of.ts';

const USAGE = `Usage: npm run soak -- [--minutes N] [--rate N] [--batch-rate N]
  --minutes N     how long (default 60)
  --rate N        single events a second (default 1500)
  --batch-rate N  batches of 100 events a second (default 2)`;

export type Options = { minutes: number; rate: number; batch_rate: number };

/** Reads the command line; if it has a mistake, prints the reason and the usage, and exits with 2. */
export function readOptions(args: string[]): Options {
  try {
    const option = { type: 'string' as const };
    const { values } = parseArgs({ args, options: { minutes: option, rate: option, 'batch-rate': option } });
    return {
      minutes: numberOf('minutes', values.minutes ?? '60'),
      rate: numberOf('rate', values.rate ?? '1500'),
      batch_rate: numberOf('batch-rate', values['batch-rate'] ?? '2'),
    };
  } catch (error) {
    console.error(`${messageOf(error)}\n${USAGE}`);
    process.exit(2);
  }
}

function numberOf(option: string, text: string): number {
  const number = Number(text);
  if (!(number > 0 && number < 1e6)) throw new Error(`--${option} must be a number above 0, not "${text}"`);
  return number;
}
