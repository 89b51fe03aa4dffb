import { setImmediate as turn } from 'node:timers/promises';
import type { Answer, Outcome } from '../src/billing/close/bill-next.ts';
import type { Question } from '../src/billing/close/next-step.ts';
import { inSpan, tracing, type SpanLink } from '../src/telemetry/tracing.ts';

/** Runs a group in one transaction. `waits` for its locks, which only a group of one may. */
export type RunGroup = (
  environment_id: number,
  questions: readonly Question[],
  options: { waits: boolean },
) => Promise<Outcome[]>;

/** The failure of a whole group, which says nothing about any of its members. */
export class GroupFailure extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = 'GroupFailure';
  }
}

type Options = {
  run: RunGroup;
  /** True if one row may be the cause of an error, so that the others of the group may succeed without it. */
  mayBeOneMembersFault: (error: unknown) => boolean;
  onGroup?: (group: { members: number }) => void;
  /** Receives the time that a member waited for its group. */
  onWaited?: (ms: number) => void;
};

export type CloseGroups = {
  /** Answers a question in the next group. Rejects with its own failure, or with a GroupFailure. */
  add: (question: Question) => Promise<Answer>;
  /** How many questions wait for a group. */
  waiting: () => number;
};

type Waiting = {
  question: Question;
  tries: number;
  since: number;
  /** The span of the step; null while traces are off. */
  span: SpanLink | null;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
};

const GROUPS_AT_ONCE = 2;
const MEMBERS_MAX = 50;
/** A request that needs a customer of a group gives up after 8 s; a group may take a quarter of it. */
const GROUP_MS = 2000;
/** A member whose lock is held elsewhere waits for it alone after these tries, so that no group waits for a lock. */
const TRIES_MAX = 3;
const ALONE_AT_ONCE = 8;

/**
 * Answers questions in groups, without timers: questions that arrive while groups run wait, and the next group takes
 * all of one environment, first that of the question that has waited longest. With nothing running, a question starts
 * at once (decision 42).
 */
export function createCloseGroups(options: Options): CloseGroups {
  let waiting: Waiting[] = [];
  const alone: Waiting[] = [];
  let running = 0;
  let running_alone = 0;
  let members_max = MEMBERS_MAX;

  const putBack = (members: readonly Waiting[]) => {
    const isTried = ({ tries }: Waiting) => tries >= TRIES_MAX;
    alone.push(...members.filter(isTried));
    waiting = [...members.filter((member) => !isTried(member)), ...waiting];
  };

  const runGroup = async (): Promise<void> => {
    // Takes all that arrives in this turn of the event loop.
    await turn();
    const members = nextGroup(waiting, members_max);
    if (members.length === 0) return;
    const group = new Set(members);
    waiting = waiting.filter((member) => !group.has(member));
    const began_at = performance.now();
    for (const { since } of members) options.onWaited?.(began_at - since);
    options.onGroup?.({ members: members.length });
    putBack(await attempt(members, { waits: false }, options));
    const took_ms = performance.now() - began_at;
    members_max = Math.max(1, Math.min(MEMBERS_MAX, Math.floor((members.length * GROUP_MS) / took_ms)));
  };

  const start = (): void => {
    for (; running < GROUPS_AT_ONCE && waiting.length > 0; running++)
      void runGroup().finally(() => {
        running--;
        start();
      });
    for (; running_alone < ALONE_AT_ONCE && alone.length > 0; running_alone++)
      void attempt([alone.shift()!], { waits: true }, options).finally(() => {
        running_alone--;
        start();
      });
  };

  return {
    add: (question) =>
      new Promise((resolve, reject) => {
        const span = tracing()?.current() ?? null;
        waiting.push({ question, tries: 0, since: performance.now(), span, resolve, reject });
        start();
      }),
    waiting: () => waiting.length + alone.length,
  };
}

/** The members of the environment that has waited longest. */
function nextGroup(waiting: readonly Waiting[], members_max: number): Waiting[] {
  const environment_id = waiting[0]?.question.environment_id;
  return waiting.filter(({ question }) => question.environment_id === environment_id).slice(0, members_max);
}

/**
 * Answers members in one transaction, or in halves where the database refuses a row of one. Returns those to put back.
 */
async function attempt(
  members: readonly Waiting[],
  how: { waits: boolean },
  options: Options,
): Promise<Waiting[]> {
  const { environment_id } = members[0]!.question;
  const questions = members.map(({ question }) => question);
  const links = members.flatMap(({ span }) => span ?? []);
  try {
    const run = () => options.run(environment_id, questions, how);
    return settle(members, await inSpan({ name: 'bill a group', is_root: true, links }, run));
  } catch (error) {
    const is_of_rows = options.mayBeOneMembersFault(error);
    if (members.length > 1 && is_of_rows) {
      const middle = Math.ceil(members.length / 2);
      const first = await attempt(members.slice(0, middle), how, options);
      return [...first, ...(await attempt(members.slice(middle), how, options))];
    }
    for (const member of members) member.reject(is_of_rows ? error : new GroupFailure(error));
    return [];
  }
}

/** Answers members by their outcomes; returns those to put back. */
function settle(members: readonly Waiting[], outcomes: readonly Outcome[]): Waiting[] {
  return members.filter((member, at) => {
    const outcome = outcomes[at]!;
    if (outcome.kind === 'answered') member.resolve(outcome.answer);
    else if (outcome.kind === 'failed') member.reject(outcome.failure);
    else if (outcome.why === 'locked') member.tries++;
    return outcome.kind === 'later';
  });
}
