import { CommanderError } from 'commander';
import { messageOf } from '../message-of.ts';

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
