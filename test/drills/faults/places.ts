import { eventually } from '../../support/servers/eventually.ts';
import type { BillingProcess, Job } from './billing-process.ts';
import { layWire, type Stop, type StopAt, type Wire } from './wire.ts';

/** The point of a kill: before or after a statement of a transaction, counted from 0. */
export type Place = { statement: number; side: Stop };

const isPlace =
  ({ statement, side }: Place): StopAt =>
  (transaction) =>
    transaction.length === statement + 1 ? side : null;

/**
 * All places of a transaction: before each statement, and after the last. After a statement, Postgres is where it is before the next one,
 * and what the process knows more is gone with it.
 */
export function everyPlace(statements: readonly string[]): Place[] {
  const before = statements.map((_, statement): Place => ({ statement, side: 'before' }));
  return [...before, { statement: statements.length - 1, side: 'after' }];
}

/**
 * All places of a transaction, in lists for one kill each; one list, if it takes no number. After the statement that takes the number of an
 * invoice or a credit note, a transaction holds the environment's counter and blocks all others, so a list has only one such place, its
 * first.
 */
export function placesOf(statements: readonly string[]): Place[][] {
  const places = everyPlace(statements);
  const numbering = statements.findIndex((text) => /last_(invoice|credit_note)_number/.test(text));
  if (numbering === -1) return [places];
  const needsCounter = ({ statement, side }: Place) =>
    statement > numbering || (statement === numbering && side === 'after');
  const others = places.filter((place) => !needsCounter(place));
  const holders = places.filter(needsCounter);
  return holders.map((holder, list) => [
    holder,
    ...others.filter((_, index) => index % holders.length === list),
  ]);
}

/** SQL statements of the transaction of a job that nothing disturbs, in order. */
export async function statementsOf(process: BillingProcess, job: Job): Promise<string[]> {
  let said: readonly string[] = [];
  const wire = await layWire(job.database_url, (transaction) => {
    said = transaction;
    return null;
  });
  await process.serve([{ ...job, database_url: wire.url }]);
  wire.cut();
  return [...said];
}

/** Serves each job up to its place, and resolves once every job is there. `serving` rejects if the process is killed then. */
export async function stopAt(
  places: readonly Place[],
  jobs: readonly Job[],
  victim: BillingProcess,
): Promise<{ serving: Promise<void>; wires: Wire[] }> {
  const wires = await Promise.all(
    places.map((place, index) => layWire(jobs[index]!.database_url, isPlace(place))),
  );
  const serving = victim.serve(wires.map(({ url }, index) => ({ ...jobs[index]!, database_url: url })));
  serving.catch(() => undefined);
  await eventually(
    async () => wires.map((wire) => wire.stopped()),
    (stopped) => stopped.every((count) => count === 1),
  );
  return { serving, wires };
}

/** Whether a transaction that stopped here takes effect. */
export function isCommitted({ statement, side }: Place, statements: readonly string[]): boolean {
  return statement === statements.length - 1 && side === 'after';
}

export function nameOf({ statement, side }: Place, statements: readonly string[]): string {
  return `${side} statement ${statement + 1} of ${statements.length}: ${statements[statement]}`;
}
