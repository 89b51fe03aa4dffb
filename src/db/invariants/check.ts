import { messageOf } from '../../message-of.ts';
import { attempt, readOnly, type Db, type Pool } from '../pool.ts';
import { BILLING_DAY_INVARIANTS } from './billing-days.ts';
import { CREDIT_INVARIANTS } from './credit.ts';
import { EVENT_INVARIANTS } from './events.ts';
import type { CheckOptions, Fault, Invariant } from './invariant.ts';
import { INVOICE_INVARIANTS } from './invoices.ts';
import { INVOICE_ITEM_INVARIANTS } from './invoice-items.ts';
import { LATE_WINDOW_INVARIANTS } from './late-windows.ts';
import { LIFE_INVARIANTS } from './invoice-lifecycle.ts';
import { PARTITION_INVARIANTS } from './partition.ts';
import { PAYMENT_INVARIANTS } from './payments.ts';
import { PERIOD_INVARIANTS } from './periods.ts';
import { RATING_INVARIANTS } from './rating.ts';
import { ROLLUP_INVARIANTS } from './rollup.ts';
import { APPLICATION_NAME, SERVER_INVARIANTS } from './server.ts';
import { TENANT_INVARIANTS } from './tenants.ts';
import { WORKFLOW_INVARIANTS } from './workflows.ts';

/** All invariants that are checked on a database, by number. docs/invariants.md says where the others are checked. */
export const INVARIANTS: readonly Invariant[] = [
  ...EVENT_INVARIANTS,
  ...PARTITION_INVARIANTS,
  ...RATING_INVARIANTS,
  ...LATE_WINDOW_INVARIANTS,
  ...INVOICE_INVARIANTS,
  ...PERIOD_INVARIANTS,
  ...LIFE_INVARIANTS,
  ...CREDIT_INVARIANTS,
  ...PAYMENT_INVARIANTS,
  ...INVOICE_ITEM_INVARIANTS,
  ...TENANT_INVARIANTS,
  ...WORKFLOW_INVARIANTS,
  ...ROLLUP_INVARIANTS,
  ...BILLING_DAY_INVARIANTS,
  ...SERVER_INVARIANTS,
].sort((a, b) => placeOf(a) - placeOf(b));

export type Breach = Fault & { invariant: string };

/**
 * Result for one invariant. `breaches` is null if it was not checked, because its input was not given; `is_cut` means that there are more.
 * `exceptions` are known differences, with their reasons.
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

/** Statement timeout of a check's pool: recounting all events takes long. */
export const CHECK_STATEMENT_MS = 15 * 60_000;

export type Given = Pick<CheckOptions, 'acknowledged' | 'workflows'>;

/** Checks every invariant against one snapshot of the database. */
export function checkInvariants(pool: Pool, given: Given): Promise<Checked[]> {
  return readOnly(pool, (db) => checkMoment(db, given));
}

/** Like checkInvariants, in the caller's transaction. */
export async function checkMoment(db: Db, given: Given): Promise<Checked[]> {
  await db.query(`set local application_name = '${APPLICATION_NAME}'`);
  await db.query(AS_WRITTEN);
  // One more than is shown, to detect that there are more.
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
 * Joins in the written order, each by its full key. Without statistics, as after a restore, the planner considers the environment selective
 * and joins all rows of two tables by it.
 */
const AS_WRITTEN = 'set local join_collapse_limit = 1';

/**
 * Faults of one invariant. If a row makes the statement fail, that is a fault of this invariant, and the check continues. A timeout or a
 * lost connection stops the check, with an error that names the invariant reached.
 */
async function faultsOf(db: Db, { number, find }: Invariant, options: CheckOptions): Promise<Fault[]> {
  const faults: Fault[] = [];
  try {
    const failure = await attempt(db, async () => void faults.push(...(await find(db, options))));
    return failure === null
      ? faults
      : [{ row: 'unknown row', what: `could not be checked: ${failure.message}` }];
  } catch (error) {
    throw new Error(
      `The check stopped at ${number}; the invariants after it are not checked: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function placeOf({ number }: Invariant): number {
  return Number(number.slice(1));
}
