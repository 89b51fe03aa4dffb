import { messageOf } from '../../process/message-of.ts';
import { attempt, type Db } from '../connection/pool.ts';
import { AUDIT_INVARIANTS } from './audit-log.ts';
import { BILLING_DAY_INVARIANTS } from './billing-days.ts';
import { CLOSED_MONTH_INVARIANTS } from './closed-months.ts';
import { COLLECTION_INVARIANTS } from './collections.ts';
import { CREDIT_INVARIANTS } from './credit.ts';
import { CUSTOM_PLAN_INVARIANTS } from './custom-plans.ts';
import { DISCOUNT_INVARIANTS } from './discounts.ts';
import { PERIOD_LINE_INVARIANTS } from './period-lines.ts';
import { STRETCH_INVARIANTS } from './stretches.ts';
import { EMAIL_INVARIANTS } from './emails.ts';
import { PAYMENT_ATTEMPT_INVARIANTS } from './payment-attempts.ts';
import { PAYMENT_METHOD_INVARIANTS } from './payment-methods.ts';
import { PAYMENT_PAGE_INVARIANTS } from './payment-pages.ts';
import { PAYMENT_REFUND_INVARIANTS } from './payment-refunds.ts';
import { EVENT_INVARIANTS } from './events.ts';
import { FEE_INVARIANTS } from './fees.ts';
import { FEED_INVARIANTS } from './feed.ts';
import type { CheckOptions, Find, Invariant, UnitFault } from './invariant.ts';
import { INVOICE_INVARIANTS } from './invoices.ts';
import { ARCHIVE_INVARIANTS } from './archive.ts';
import { INVOICE_ITEM_INVARIANTS } from './invoice-items.ts';
import { LATE_WINDOW_INVARIANTS } from './late-windows.ts';
import { LIFE_INVARIANTS } from './invoice-lifecycle.ts';
import { PARTITION_INVARIANTS } from './partition.ts';
import { PAYMENT_INVARIANTS } from './payments.ts';
import { PERIOD_INVARIANTS } from './periods.ts';
import { PLAN_MIGRATION_INVARIANTS } from './plan-migrations.ts';
import { PLAN_INVARIANTS } from './plans.ts';
import { RATING_INVARIANTS } from './rating.ts';
import { ROLLUP_INVARIANTS } from './rollup.ts';
import { APPLICATION_NAME, SERVER_INVARIANTS } from './server.ts';
import { TENANT_INVARIANTS } from './tenants.ts';
import type { Kind, Unit } from './unit.ts';
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
  ...CLOSED_MONTH_INVARIANTS,
  ...INVOICE_ITEM_INVARIANTS,
  ...ARCHIVE_INVARIANTS,
  ...TENANT_INVARIANTS,
  ...WORKFLOW_INVARIANTS,
  ...ROLLUP_INVARIANTS,
  ...BILLING_DAY_INVARIANTS,
  ...FEED_INVARIANTS,
  ...FEE_INVARIANTS,
  ...PLAN_INVARIANTS,
  ...DISCOUNT_INVARIANTS,
  ...CUSTOM_PLAN_INVARIANTS,
  ...PERIOD_LINE_INVARIANTS,
  ...STRETCH_INVARIANTS,
  ...PLAN_MIGRATION_INVARIANTS,
  ...EMAIL_INVARIANTS,
  ...PAYMENT_METHOD_INVARIANTS,
  ...PAYMENT_ATTEMPT_INVARIANTS,
  ...COLLECTION_INVARIANTS,
  ...PAYMENT_PAGE_INVARIANTS,
  ...PAYMENT_REFUND_INVARIANTS,
  ...AUDIT_INVARIANTS,
  ...SERVER_INVARIANTS,
].sort((a, b) => placeOf(a) - placeOf(b));

export const BREACHES_MAX = 100;

/** Statement timeout of a check's pool: a period with very many events is recounted in one statement. */
export const CHECK_STATEMENT_MS = 15 * 60_000;

export type CheckInputs = Pick<CheckOptions, 'acknowledged' | 'workflows'>;

export const NO_INPUTS: CheckInputs = { acknowledged: null, workflows: null };

/**
 * The faults that a check of some units found of one invariant; `is_cut` means that there may be more. `is_complete`:
 * everything that the invariant asks of the units was asked, so that units without a fault are sound.
 */
export type Found = { invariant: string; faults: UnitFault[]; is_cut: boolean; is_complete: boolean };

/** Units of one kind; `are_changes`: because they changed, not in the course of all units. */
export type Selection = { kind: Kind; units: readonly Unit[]; are_changes: boolean };

/**
 * Checks these units for every invariant that asks something of their kind, in the caller's transaction, which should
 * read one snapshot. The invariants that were checked are exactly those of the result.
 */
export async function checkUnits(db: Db, selection: Selection, inputs: CheckInputs): Promise<Found[]> {
  await db.query(`set local application_name = '${APPLICATION_NAME}'`);
  await db.query(AS_WRITTEN);
  // One more than is shown, to detect that there are more.
  const options: CheckOptions = { ...inputs, limit: BREACHES_MAX + 1 };
  const all: Found[] = [];
  for (const { number, needs, parts } of INVARIANTS) {
    const of_kind = parts.filter(({ kind }) => kind === selection.kind);
    const checks = of_kind.filter(({ of_changes }) => selection.are_changes || !of_changes);
    if (checks.length === 0 || (needs !== null && inputs[needs] === null)) continue;
    const faults: UnitFault[] = [];
    for (const { find } of checks) faults.push(...(await faultsOf(db, number, { find, selection, options })));
    const is_cut = faults.length > BREACHES_MAX;
    all.push({ invariant: number, faults, is_cut, is_complete: !is_cut && checks.length === of_kind.length });
  }
  return all;
}

/**
 * Joins in the written order, each by its full key. Without statistics, as after a restore, the planner considers the
 * environment selective and joins all rows of two tables by it.
 */
const AS_WRITTEN = 'set local join_collapse_limit = 1';

type Asked = { find: Find; selection: Selection; options: CheckOptions };

/**
 * Faults of one invariant. If a row makes the statement fail, the unit of the row is looked for, and has the fault; the
 * check continues. A timeout or a lost connection stops the check, with an error that names the invariant reached.
 */
async function faultsOf(db: Db, number: string, { find, selection, options }: Asked): Promise<UnitFault[]> {
  const { kind, units } = selection;
  const faults: UnitFault[] = [];
  try {
    const failure = await attempt(db, async () => void faults.push(...(await find(db, units, options))));
    if (failure === null) return faults;
    if (units.length === 1)
      return [
        { unit: units[0]!, row: rowOf(kind, units[0]!), what: `could not be checked: ${failure.message}` },
      ];
  } catch (error) {
    throw new Error(
      `The check stopped at ${number}; the invariants after it are not checked: ${messageOf(error)}`,
      { cause: error },
    );
  }
  return faultsOfHalves(db, number, { find, selection, options });
}

async function faultsOfHalves(
  db: Db,
  number: string,
  { find, selection, options }: Asked,
): Promise<UnitFault[]> {
  const { units } = selection;
  const middle = Math.ceil(units.length / 2);
  const faults: UnitFault[] = [];
  for (const half of [units.slice(0, middle), units.slice(middle)]) {
    if (faults.length >= options.limit) break;
    faults.push(...(await faultsOf(db, number, { find, selection: { ...selection, units: half }, options })));
  }
  return faults;
}

function rowOf(kind: Kind, { environment_id, id }: Unit): string {
  const name = kind.replaceAll('_', ' ');
  return id === '' ? name : `${name} ${id}${environment_id === 0 ? '' : ` of environment ${environment_id}`}`;
}

function placeOf({ number }: Invariant): number {
  return Number(number.slice(1));
}
