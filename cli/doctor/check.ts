import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../src/process/message-of.ts';

/** Time limit of one check. */
const LIMIT_MS = 5000;

export type Finding = { status: 'ok' | 'warn' | 'fail'; detail: string };

/** One thing that must be in order. A check fails if `ask` throws or takes longer than 5 s. */
export type Check = {
  what: string;
  /** Earlier checks, by `what`, that must pass before this one can run. */
  needs: readonly string[];
  /** The action to take if the check fails. */
  next_step: string;
  ask: () => Finding | Promise<Finding>;
};

export type Checked = Finding & { what: string; next_step: string | null };

/** The finding of a check that passed. */
export function ok(detail: string): Finding {
  return { status: 'ok', detail };
}

/** A finding that needs no action now, or a check that could not run. */
export function warn(detail: string): Finding {
  return { status: 'warn', detail };
}

/** The finding of a check that failed; `doctor` then prints the next step and exits with 1. */
export function fail(detail: string): Finding {
  return { status: 'fail', detail };
}

/** Runs all checks concurrently, each after those that it needs. The results are in the order of the checks. */
export function runChecks(checks: readonly Check[]): Promise<Checked[]> {
  const results = new Map<string, Promise<Checked>>();
  for (const check of checks) {
    const needed = check.needs.map((what) => results.get(what)!);
    results.set(check.what, checked(check, needed));
  }
  return Promise.all(results.values());
}

async function checked(check: Check, needed: readonly Promise<Checked>[]): Promise<Checked> {
  const { what, next_step } = check;
  const failed = (await Promise.all(needed)).find(({ status }) => status === 'fail');
  if (failed !== undefined)
    return { what, ...warn(`not checked, because ${failed.what} failed`), next_step: null };
  const finding = await findingOf(check);
  return { what, ...finding, next_step: finding.status === 'fail' ? next_step : null };
}

async function findingOf({ ask }: Check): Promise<Finding> {
  const answered = new AbortController();
  const late = async () => {
    await pause(LIMIT_MS, undefined, { signal: answered.signal });
    return fail(`no response within ${LIMIT_MS / 1000} s`);
  };
  try {
    return await Promise.race([ask(), late()]);
  } catch (error) {
    return fail(messageOf(error));
  } finally {
    answered.abort();
  }
}

const CLOCKS_APART_MAX_MS = 5000;

/** Compares another clock with this machine's, which was read before and after the request for the other. */
export function clockFinding(theirs_ms: number, span: { from_ms: number; to_ms: number }): Finding {
  const apart_ms = Math.max(span.from_ms - theirs_ms, theirs_ms - span.to_ms, 0);
  const detail = `${apart_ms} ms from the clock of this machine`;
  return apart_ms > CLOCKS_APART_MAX_MS
    ? fail(`${detail}; the maximum is ${CLOCKS_APART_MAX_MS} ms`)
    : ok(detail);
}
