import { InvalidArgumentError, type Command } from 'commander';

/** How users call the command line from the project's folder; -s suppresses npm's own output. */
export const CALL = 'npm run -s tidemark --';

/** Adds examples to a command's help. A test parses each of them. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  ${CALL} ${example}`);
  return command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
}

/** An option parser for whole numbers from `low` to `high`. */
export function integerFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
  };
}
