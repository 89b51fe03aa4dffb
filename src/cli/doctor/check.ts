import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../message-of.ts';

/** No question waits longer for its answer. */
const LIMIT_MS = 5000;

export type Finding = { status: 'ok' | 'warn' | 'fail'; detail: string };

/** One thing that must be in order. Whatever `ask` throws is a failure, and so is no answer in time. */
export type Check = {
  what: string;
  /** The checks, by `what` and earlier in the list, after whose failure this one cannot be asked. */
  needs: readonly string[];
  /** What to do where it fails. */
  next_step: string;
  ask: () => Finding | Promise<Finding>;
};

export type Checked = Finding & { what: string; next_step: string | null };

export function ok(detail: string): Finding {
  return { status: 'ok', detail };
}

export function warn(detail: string): Finding {
  return { status: 'warn', detail };
}

export function fail(detail: string): Finding {
  return { status: 'fail', detail };
}

/** Asks all at once, but for those that need another's answer. The results are in the order of the checks. */
export function runChecks(checks: readonly Check[]): Promise<Checked[]> {
  const asked = new Map<string, Promise<Checked>>();
  for (const check of checks) {
    const needed = check.needs.map((what) => asked.get(what)!);
    asked.set(check.what, checked(check, needed));
  }
  return Promise.all(asked.values());
}

async function checked(check: Check, needed: readonly Promise<Checked>[]): Promise<Checked> {
  const { what, next_step } = check;
  const failed = (await Promise.all(needed)).find(({ status }) => status === 'fail');
  if (failed !== undefined)
    return { what, ...warn(`cannot be asked, because ${failed.what} failed`), next_step: null };
  const finding = await findingOf(check);
  return { what, ...finding, next_step: finding.status === 'fail' ? next_step : null };
}

async function findingOf({ ask }: Check): Promise<Finding> {
  const answered = new AbortController();
  const late = async () => {
    await pause(LIMIT_MS, undefined, { signal: answered.signal });
    return fail(`no answer within ${LIMIT_MS / 1000} s`);
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

/** How far another clock is from this machine's, which was read before and after asking for it. */
export function clockFinding(theirs_ms: number, asked: { from_ms: number; to_ms: number }): Finding {
  const apart_ms = Math.max(asked.from_ms - theirs_ms, theirs_ms - asked.to_ms, 0);
  const detail = `${apart_ms} ms from this machine's`;
  return apart_ms > CLOCKS_APART_MAX_MS ? fail(`${detail}, at most ${CLOCKS_APART_MAX_MS}`) : ok(detail);
}
