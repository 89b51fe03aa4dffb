import fc from 'fast-check';
import { begin } from '../commands/begin.ts';
import { aChange } from '../commands/change-commands.ts';
import type { Command } from '../commands/command.ts';
import { comeToAnEnd } from '../commands/customer-commands.ts';
import { someBeginnings } from '../commands/life.ts';
import type { Account } from './accounts.ts';
import { ACTS } from './acts.ts';
import { compareClosedMonths } from './closed-months.ts';
import { compareComparisons } from './comparisons.ts';
import { HAS_CUSTOM_PLANS } from '../commands/custom-choices.ts';
import { compareCustomPlans } from './custom-plans.ts';
import { compareDiscounts } from './discounts.ts';
import { compareFeed } from './feed.ts';
import { compareReceivables } from './receivables.ts';
import { compareRecurringRevenue } from './recurring.ts';
import { compareRevenue } from './revenue.ts';
import { aStory, FOCUSES, aStoryOfChanges, aStoryOfMovedEnds, aStoryOfTrials } from './stories.ts';

export type Order = {
  count: number;
  seed: number;
  /** Reports after each life that reached its end, with the number of those. */
  progress?: (lived: number) => void;
  /** Replays a life that failed; both values are printed with it. */
  path?: string;
  replay?: string;
  /** Reports the life that failed without shrinking it. */
  unshrunk?: boolean;
  /** Weight of changes of plan among the commands, 1 by default; 0 leaves them out. */
  changes?: number;
  /** Half of the commands are stories of this kind. */
  focus?: keyof typeof FOCUSES;
};

export type Outcome = {
  /** Number of lives that reached their end. */
  lived: number;
  /** How often each situation occurred. */
  seen: Map<string, number>;
  /** The shortest failing lives as text, at most one per shard. */
  failures: string[];
};

/** Number of lives that run concurrently on the stack, so that a worker bills them in groups. */
const SHARDS = 24;
const COMMANDS_MAX = 18;
/** Time after which shrinking stops and the shortest life so far is reported; a life takes 25 seconds beside the others. */
const TIME_LIMIT_MS = { least: 480_000, per_life: 60_000 };

/** The frequency of a command is its number of entries. */
const COMMANDS: fc.Arbitrary<Command>[] = [
  ...ACTS,
  ...[aStory, aStory, aStory, aStory, aStoryOfMovedEnds, aStoryOfTrials, aStoryOfTrials],
];

/** The frequency of changes of plan for each unit of their weight. */
const CHANGES: fc.Arbitrary<Command>[] = [aChange, aChange, aChange, aStoryOfChanges, aStoryOfChanges];

/** The life that failed last; while shrinking, it is the shortest. */
type Failure = { steps: readonly string[]; error: unknown };

/** Runs random lives, each of a new customer of a new account, several concurrently. Deterministic for a given order, whatever else the stack does. */
export async function live(newAccount: () => Promise<Account>, order: Order): Promise<Outcome> {
  const outcome: Outcome = { lived: 0, seen: new Map(), failures: [] };
  await Promise.all(shardsOf(order).map((shard) => liveShard(newAccount, shard, outcome)));
  return outcome;
}

function shardsOf(order: Order): Order[] {
  if (order.path !== undefined) return [order];
  return Array.from({ length: Math.min(SHARDS, order.count) }, (_, place) => ({
    ...order,
    count: Math.ceil((order.count - place) / SHARDS),
    seed: order.seed * SHARDS + place,
  }));
}

async function liveShard(newAccount: () => Promise<Account>, order: Order, outcome: Outcome): Promise<void> {
  let failure: Failure = { steps: [], error: null };
  let lives = 0;
  const weight = order.changes ?? 1;
  const changing = Array.from({ length: weight }, () => CHANGES).flat();
  const { focus } = order;
  const focused = focus === undefined ? [] : Array.from({ length: COMMANDS.length }, () => FOCUSES[focus]);
  const commands = fc.commands([...COMMANDS, ...changing, ...focused], {
    maxCommands: COMMANDS_MAX,
    size: 'max',
    ...(order.replay === undefined ? {} : { replayPath: order.replay }),
  });
  const property = fc.asyncProperty(someBeginnings, commands, async (beginnings, life) => {
    const name = `life-${order.seed}-${++lives}`;
    const account = await newAccount();
    const { model, real } = await begin(account, name, beginnings);
    try {
      await fc.asyncModelRun(() => ({ model, real }), life);
      // Before the end, after which nothing is scheduled any more.
      await compareRecurringRevenue(model, real);
      await comeToAnEnd(model, real);
      await compareFeed(account.request, name);
      await compareComparisons(real);
      await compareDiscounts(model, real);
      if (HAS_CUSTOM_PLANS) await compareCustomPlans(model, real);
      await compareReceivables(model, real);
      await compareRevenue(model, real);
      await compareRecurringRevenue(model, real);
      await compareClosedMonths(model, real);
    } catch (error) {
      // At once, because shrinking may take an hour.
      if (failure.error === null)
        console.log(`${textOf({ steps: real.steps, error })}\n\nshrinking it ...\n`);
      failure = { steps: real.steps, error };
      throw error;
    }
    outcome.lived++;
    order.progress?.(outcome.lived);
    for (const [situation, times] of model.seen)
      outcome.seen.set(situation, (outcome.seen.get(situation) ?? 0) + times);
  });
  const { count: numRuns, seed, path, unshrunk = false } = order;
  const details = await fc.check(property, {
    ...{ numRuns, seed, endOnFailure: unshrunk },
    interruptAfterTimeLimit: Math.max(TIME_LIMIT_MS.least, TIME_LIMIT_MS.per_life * numRuns),
    ...(path === undefined ? {} : { path }),
  });
  if (!details.failed) return;
  const replay = /replayPath="([^"]*)"/.exec(fc.stringify(details.counterexample))?.[1] ?? '';
  const changes = weight === 1 ? '' : ` --changes ${weight}`;
  const focusing = focus === undefined ? '' : ` --focus ${focus}`;
  const again = `--seed ${seed} --path ${details.counterexamplePath} --replay ${replay}${changes}${focusing}`;
  outcome.failures.push(report(failure, again));
}

function report(failure: Failure, again: string): string {
  return `${textOf(failure)}\n\nonce more: npm run lives -- ${again}\n`;
}

/** The steps of a life and what is wrong after the last one, as text. */
export function textOf({ steps, error }: Failure): string {
  const list = steps.map((step, place) => `${place + 1}. ${step}`).join('\n');
  const difference = error instanceof Error ? error.message : `${error}`;
  return `a life that fails:\n${list}\n\n${difference}`;
}
