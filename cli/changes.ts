import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { FeedChange } from '../src/objects/change.ts';
import { askingApi, openApi, type ApiOptions } from './api.ts';
import { changesAfter, newestSequence } from './follow.ts';
import { integerFrom, withExamples } from './help.ts';
import { untilInterrupted } from './interrupt.ts';
import { jsonOf, printLine } from './output.ts';

const SEQUENCE_MAX = 999_999_999;

type FollowOptions = ApiOptions & { after?: number; types?: string };

/** Adds `changes follow`. */
export function addChanges(program: Command, config: Config): void {
  const changes = program.command('changes').description('the feed of changes');
  withExamples(
    askingApi(changes.command('follow').description('show each change as it comes, until Ctrl-C')),
    ['changes follow', 'changes follow --types invoice.*,payment.* --after 4711 --json'],
  )
    .option('--after <number>', 'start after this number (default: with what comes next)', sequenceOption())
    .option('--types <types>', 'only these types, separated by commas')
    .action((options: FollowOptions) => follow(config, options));
}

/** A parser of the option `--after`. */
export function sequenceOption(): (text: string) => number {
  return integerFrom(0, SEQUENCE_MAX);
}

async function follow(config: Config, { types, json, ...options }: FollowOptions): Promise<void> {
  const signal = untilInterrupted();
  const api = openApi(config, { json, ...options });
  let { after } = options;
  try {
    after ??= await newestSequence(api, signal);
    for await (const page of changesAfter(api, { after, types, signal })) {
      for (const change of page.changes) printLine(json ? jsonOf(change) : lineOf(change));
      after = page.next_after;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    if (after !== undefined) console.error(`To go on: --after ${after}`);
  }
}

/** A change in one line. */
export function lineOf({ sequence, created_at, type, object_id, customer_id }: FeedChange): string {
  return `${sequence}  ${created_at}  ${type}  ${object_id}  ${customer_id ?? '-'}`;
}
