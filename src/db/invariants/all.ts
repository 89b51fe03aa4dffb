import { readOnly, type Db, type Pool } from '../connection/pool.ts';
import {
  BREACHES_MAX,
  checkUnits,
  INVARIANTS,
  type Found,
  type CheckInputs,
  type Selection,
} from './check.ts';
import type { Fault, Invariant } from './invariant.ts';
import { createSizes } from './sizes.ts';
import { pageOfUnits } from './unit-pages.ts';
import { UNIT_COLUMNS, type Kind, type Unit } from './unit.ts';

export type Breach = Fault & { invariant: string };

/**
 * Result for one invariant. `breaches` is null if it was not checked, because its input was not given; `is_cut` means
 * that there are more. `exceptions` are known differences, with their reasons.
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

/** Kinds in the order in which they are checked: the cheap ones come first. */
export const KINDS = Object.keys(UNIT_COLUMNS) as Kind[];

/** Reports after each slice the kind and how many of its units are checked. */
export type Report = (kind: Kind, checked: number) => void;

/** Checks everything, in slices that each read a snapshot of their own, so that no transaction is long. */
export function checkInvariants(
  pool: Pool,
  inputs: CheckInputs,
  report: Report = () => undefined,
): Promise<Checked[]> {
  return checkAll({ inSlice: (work) => readOnly(pool, work), inputs, report, kinds: KINDS });
}

/** Checks everything, or all units of some kinds, in the caller's transaction. */
export function checkMoment(db: Db, inputs: CheckInputs, kinds: readonly Kind[] = KINDS): Promise<Checked[]> {
  return checkAll({ inSlice: (work) => work(db), inputs, report: () => undefined, kinds });
}

type Slices = {
  inSlice: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
  inputs: CheckInputs;
  report: Report;
  kinds: readonly Kind[];
};

async function checkAll({ inSlice, inputs, report, kinds }: Slices): Promise<Checked[]> {
  const [results, sizes] = [createResults(inputs), createSizes()];
  for (const kind of kinds) {
    let after: Unit | null = null;
    let checked = 0;
    for (;;) {
      const started_at = performance.now();
      const from: Unit | null = after;
      const units: Unit[] = await inSlice(async (db) => {
        const page = await pageOfUnits(db, kind, from, sizes.of(kind));
        if (page.length > 0)
          results.add(await checkUnits(db, { kind, units: page, are_changes: false }, inputs));
        return page;
      });
      if (units.length === 0) break;
      after = units.at(-1)!;
      sizes.learn(kind, units.length, performance.now() - started_at);
      report(kind, (checked += units.length));
    }
  }
  return results.all();
}

/** Checks the given units only, in slices as checkInvariants does. */
export async function checkSelected(
  pool: Pool,
  selections: readonly Selection[],
  { inputs, report }: { inputs: CheckInputs; report: Report },
): Promise<Checked[]> {
  const [results, sizes] = [createResults(inputs), createSizes()];
  for (const { kind, units, are_changes } of selections)
    for (let first = 0; first < units.length;) {
      const started_at = performance.now();
      const slice = { kind, units: units.slice(first, first + sizes.of(kind)), are_changes };
      results.add(await readOnly(pool, (db) => checkUnits(db, slice, inputs)));
      sizes.learn(kind, slice.units.length, performance.now() - started_at);
      report(kind, (first += slice.units.length));
    }
  return results.all();
}

/** Collects what slices found, by invariant. */
function createResults(inputs: CheckInputs) {
  const results = new Map(
    INVARIANTS.map(({ number, statement, needs }) => {
      const is_checked = needs === null || inputs[needs] !== null;
      const breaches: Breach[] | null = is_checked ? [] : null;
      return [
        number,
        { number, statement, needs, breaches, exceptions: [] as Exception[], is_cut: false },
      ] as const;
    }),
  );
  return {
    add: (all: readonly Found[]) => {
      for (const finding of all) addFound(results.get(finding.invariant)!, finding);
    },
    all: (): Checked[] => [...results.values()],
  };
}

function addFound(result: Checked, { invariant, faults, is_cut }: Found): void {
  for (const { unit: _, exception, ...fault } of faults) {
    const list: Breach[] = exception === undefined ? (result.breaches ??= []) : result.exceptions;
    if (list.length >= BREACHES_MAX) result.is_cut ||= exception === undefined;
    else list.push({ invariant, ...fault, ...(exception === undefined ? {} : { exception }) });
  }
  result.is_cut ||= is_cut;
}
