import { CommanderError } from 'commander';

/** Why a command did not do what it was asked: the message is all that is printed. 2 is a mistake in the command itself. */
export class Failure extends Error {
  readonly exit_code: 1 | 2;

  constructor(message: string, exit_code: 1 | 2 = 1) {
    super(message);
    this.exit_code = exit_code;
  }
}

/** Tells on stderr why a command ended, and returns its exit code: 1 where it failed, 2 where it was not understood. */
export function tellFailure(error: unknown): number {
  // Commander has printed its own complaint, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(`error: ${messageOf(error)}`);
  return error instanceof Failure ? error.exit_code : 1;
}

/** A sentence in any case: errors of the network may have no message but a code, or hide their reason in a cause. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message}: ${messageOf(error.cause)}`;
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
