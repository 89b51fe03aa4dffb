import { InvalidArgumentError, type Command } from 'commander';

/** How the command line is called from the project's folder; -s keeps npm's own lines out of what is printed. */
export const CALL = 'npm run -s tidemark --';

/** Puts examples under a command's help. A test parses each. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((example) => `  ${CALL} ${example}`);
  return command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
}

/** Reads an option that is a whole number from `low` to `high`. */
export function integerFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,9}$/.test(text) && Number(text) >= low && Number(text) <= high) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${low} to ${high}.`);
  };
}
