import { messageOf } from '../../message-of.ts';
import { attempt, readOnly, type Db, type Pool } from '../pool.ts';
import { CREDIT_INVARIANTS } from './credit.ts';
import { EVENT_INVARIANTS } from './events.ts';
import type { CheckOptions, Fault, Invariant } from './invariant.ts';
import { INVOICE_INVARIANTS } from './invoices.ts';
import { LATE_WINDOW_INVARIANTS } from './late-windows.ts';
import { LIFE_INVARIANTS } from './invoice-lifecycle.ts';
import { PARTITION_INVARIANTS } from './partition.ts';
import { PERIOD_INVARIANTS } from './periods.ts';
import { RATING_INVARIANTS } from './rating.ts';
import { ROLLUP_INVARIANTS } from './rollup.ts';
import { APPLICATION_NAME, SERVER_INVARIANTS } from './server.ts';
import { TENANT_INVARIANTS } from './tenants.ts';
import { WORKFLOW_INVARIANTS } from './workflows.ts';

/** All that is checked on a database, by number. docs/invariants.md says where the others are. */
export const INVARIANTS: readonly Invariant[] = [
  ...EVENT_INVARIANTS,
  ...PARTITION_INVARIANTS,
  ...RATING_INVARIANTS,
  ...LATE_WINDOW_INVARIANTS,
  ...INVOICE_INVARIANTS,
  ...PERIOD_INVARIANTS,
  ...LIFE_INVARIANTS,
  ...CREDIT_INVARIANTS,
  ...TENANT_INVARIANTS,
  ...WORKFLOW_INVARIANTS,
  ...ROLLUP_INVARIANTS,
  ...SERVER_INVARIANTS,
].sort((a, b) => placeOf(a) - placeOf(b));

export type Breach = Fault & { invariant: string };

/**
 * `breaches` is null where it was not checked, because what it needs was not given; `is_cut` tells that there are more. What is
 * known to differ, and why, is among the exceptions.
 */
export type Checked = {
  number: string;
  statement: string;
  needs: Invariant['needs'];
  breaches: Breach[] | null;
  exceptions: Exception[];
  is_cut: boolean;
};

export type Exception = Breach & { exception: string };

export const BREACHES_MAX = 100;

/** For the pool of a check: counting every event again takes as long as it takes. */
export const CHECK_STATEMENT_MS = 15 * 60_000;

export type Given = Pick<CheckOptions, 'acknowledged' | 'workflows'>;

/** Checks every invariant against one moment of the database. */
export function checkInvariants(pool: Pool, given: Given): Promise<Checked[]> {
  return readOnly(pool, (db) => checkMoment(db, given));
}

/** The same within a transaction of the caller's. */
export async function checkMoment(db: Db, given: Given): Promise<Checked[]> {
  await db.query(`set local application_name = '${APPLICATION_NAME}'`);
  await db.query(AS_WRITTEN);
  // One more than is shown tells that there are more.
  const options: CheckOptions = { ...given, limit: BREACHES_MAX + 1 };
  const checked: Checked[] = [];
  for (const invariant of INVARIANTS) {
    const { number, statement, needs } = invariant;
    const is_checked = needs === null || options[needs] !== null;
    const faults = is_checked ? await faultsOf(db, invariant, options) : null;
    checked.push({ number, statement, needs, ...divided(number, faults) });
  }
  return checked;
}

function divided(
  invariant: string,
  faults: readonly Fault[] | null,
): Pick<Checked, 'breaches' | 'exceptions' | 'is_cut'> {
  if (faults === null) return { breaches: null, exceptions: [], is_cut: false };
  const breaches = faults.flatMap(({ row, what, exception }) =>
    exception === undefined ? [{ invariant, row, what }] : [],
  );
  const exceptions = faults.flatMap(({ exception, ...fault }) =>
    exception === undefined ? [] : [{ invariant, ...fault, exception }],
  );
  return {
    breaches: breaches.slice(0, BREACHES_MAX),
    exceptions: exceptions.slice(0, BREACHES_MAX),
    is_cut: breaches.length > BREACHES_MAX,
  };
}

/**
 * Joins in the order in which a statement is written, each by its whole key. Without statistics, as after a restore, the planner
 * takes the environment for a narrow key, and would join all the rows of two tables by it.
 */
const AS_WRITTEN = 'set local join_collapse_limit = 1';

/**
 * One that a row makes fail is breached, and the others are checked. A statement that was cut off, or a connection that was lost,
 * stops the check, and must not leave open how far it came.
 */
async function faultsOf(db: Db, { number, find }: Invariant, options: CheckOptions): Promise<Fault[]> {
  const faults: Fault[] = [];
  try {
    const failure = await attempt(db, async () => void faults.push(...(await find(db, options))));
    return failure === null
      ? faults
      : [{ row: 'some row', what: `could not be checked: ${failure.message}` }];
  } catch (error) {
    throw new Error(
      `The check stopped at ${number}, what comes after it is not checked: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function placeOf({ number }: Invariant): number {
  return Number(number.slice(1));
}
