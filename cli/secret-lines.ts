import { text } from 'node:stream/consumers';
import { Failure } from './failure.ts';

/**
 * Secrets that a person or a program sends on stdin, a line each, in the order of `names`: a command line is seen by
 * every user of the machine. Throws a Failure, a mistake, unless there are as many lines as names.
 */
export async function secretLines(names: readonly string[]): Promise<string[]> {
  if (process.stdin.isTTY) console.error(`Enter ${names.join(', then ')}, a line each, then Ctrl-D:`);
  const lines = (await text(process.stdin)).split('\n').map((line) => line.trim());
  const secrets = lines.filter((line) => line !== '');
  if (secrets.length === names.length) return secrets;
  throw new Failure(`stdin must have ${names.join(' and ')}, a line each: it has ${secrets.length} lines`, 2);
}
