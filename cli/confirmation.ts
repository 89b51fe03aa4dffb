import { createInterface } from 'node:readline';
import { Failure } from './failure.ts';

/** Asks before a change, unless --yes is given. Throws a Failure without a yes, or without a terminal to ask on. */
export async function askFirst(
  { yes, json }: { yes: boolean; json: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  if (json || !process.stdin.isTTY || !process.stdout.isTTY)
    throw new Failure('nothing was changed: without a terminal, --yes is required', 2);
  if (!(await confirm(question))) throw new Failure('nothing was changed');
}

/** Asks on the terminal. Only y or yes is true; an empty line, the end of the input and Ctrl-C are false. */
function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    terminal.once('close', () => resolve(false));
    terminal.question(`${question} [y/N] `, (answer) => {
      resolve(/^y(es)?$/i.test(answer.trim()));
      terminal.close();
    });
  });
}
