import { CommanderError } from 'commander';
import { isUnreachable } from '../src/db/connection/unavailable.ts';
import { messageOf } from '../src/process/message-of.ts';
import { Refusal } from '../src/settings/refusal.ts';

/**
 * The reason why a command failed; only the message is printed. Exit code 1 is a failure, 2 a mistake in the command
 * line or in a setting.
 */
export class Failure extends Error {
  readonly exit_code: 1 | 2;

  constructor(message: string, exit_code: 1 | 2 = 1) {
    super(message);
    this.exit_code = exit_code;
  }
}

/**
 * Prints to stderr why a command ended. Returns its exit code: 0 for help, 1 for a failure, 2 for a mistake in the
 * command line or in a setting.
 */
export function reportFailure(error: unknown): number {
  // Commander has already printed its error message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  console.error(`error: ${sentenceOf(error)}`);
  if (error instanceof Refusal) return 2;
  return error instanceof Failure ? error.exit_code : 1;
}

/** The failures of HTTP have a sentence of their own, so what could not be reached is the database. */
function sentenceOf(error: unknown): string {
  const message = messageOf(error);
  if (error instanceof Failure || error instanceof Refusal || !isUnreachable(error)) return message;
  return `PostgreSQL cannot be reached: ${message}; start it, and check DATABASE_URL`;
}
