import { randomUUID } from 'node:crypto';
import { Option, type Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type {
  PlanMigration,
  PlanMigrationOutcome,
  PlanMigrationPreview,
} from '../src/objects/plan-migration.ts';
import type { List } from '../src/objects/parts.ts';
import { askingApi, openApi, printingList, type ApiOptions, type PageOptions } from './api.ts';
import { askFirst } from './confirmation.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, inColumns, printList, printResult } from './output.ts';
import { cycleOption, prorationOption, settleOption } from './subscriptions.ts';

const MIGRATIONS = '/v1/plan-migrations';

type MigrateOptions = ApiOptions & {
  at: string;
  settle?: string;
  proration?: string;
  cycle?: string;
  customer?: string[];
  custom: boolean;
  dryRun: boolean;
  yes: boolean;
};
type ShowOptions = ApiOptions & { stop: boolean; takeBack: boolean };

/** Adds `plans migrate`, `migrations`, `migration` and `outcomes`. */
export function addPlanMigrations(plans: Command, config: Config): void {
  addMigrate(plans, config);
  addList(plans, config);
  addShow(plans, config);
  addOutcomes(plans, config);
}

function addMigrate(plans: Command, config: Config): void {
  const description =
    'show what the subscribers of a plan pay by both plans, ask for confirmation, and move them';
  withExamples(askingApi(plans.command('migrate').description(description)), [
    'plans migrate pro pro --at period_end --dry-run',
    'plans migrate plan_... plan_... --at 2026-04-16 --customer acme --yes',
  ])
    .argument('<from>', 'plan, or the key of all its versions')
    .argument('<to>', 'plan, or a key, which names its newest version')
    .requiredOption('--at <time>', 'now, period_end, an instant, or a day in the zone of each subscription')
    .addOption(settleOption())
    .addOption(prorationOption())
    .addOption(cycleOption())
    .option('--customer <id...>', 'only subscriptions of these customers')
    .option('--custom', 'base custom plans anew on the target (default: skip them)', false)
    .option('--dry-run', 'print what both plans charge, and change nothing', false)
    .option('-y, --yes', 'do not ask for confirmation; required with --json and without a terminal', false)
    .action((from: string, to: string, options: MigrateOptions) =>
      showAndMigrate(config, { from, to }, options),
    );
}

function addList(plans: Command, config: Config): void {
  const description = 'plan migrations, newest first';
  withExamples(printingList(plans.command('migrations').description(description)), [
    'plans migrations --live',
  ]).action(async (options: ApiOptions & PageOptions) => {
    const { limit, cursor } = options;
    const list: List<PlanMigration> = await openApi(config, options).get(MIGRATIONS, { limit, cursor });
    printList(options, list, {
      id: ({ id }) => id,
      status: ({ status }) => status,
      from: ({ from_plan_id }) => from_plan_id,
      to: ({ to_plan_id }) => to_plan_id,
      at: ({ at }) => at,
      total: ({ total }) => `${total}`,
      changed: ({ changed }) => `${changed}`,
      failed: ({ failed }) => `${failed}`,
    });
  });
}

function addShow(plans: Command, config: Config): void {
  const description = 'show how far a plan migration is, stop it, or take back what is still scheduled';
  withExamples(askingApi(plans.command('migration').description(description)), [
    'plans migration mig_...',
    'plans migration mig_... --stop',
    'plans migration mig_... --take-back',
  ])
    .argument('<id>', 'mig_...')
    .option('--stop', 'stop it; what is changed stays', false)
    .option('--take-back', 'stop it, and take back its changes that are still scheduled', false)
    .action(async (id: string, { stop, takeBack, ...options }: ShowOptions) => {
      if (stop && takeBack) throw new Failure('--stop and --take-back exclude each other', 2);
      const api = openApi(config, options);
      const path = pathOf(id);
      if (stop) printMigration(options, await api.post(`${path}/stop`, {}));
      else if (takeBack) printMigration(options, await api.post(`${path}/take-back`, {}));
      else printMigration(options, await api.get(path));
    });
}

function addOutcomes(plans: Command, config: Config): void {
  const statuses = ['changed', 'skipped', 'failed', 'taken_back'];
  const description = 'what a plan migration did with each subscription, the newest subscription first';
  withExamples(printingList(plans.command('outcomes').description(description)), [
    'plans outcomes mig_... --status failed',
  ])
    .argument('<id>', 'mig_...')
    .addOption(new Option('--status <status>', 'only with this status').choices(statuses))
    .action(async (id: string, options: ApiOptions & PageOptions & { status?: string }) => {
      const { limit, cursor, status } = options;
      const path = `${pathOf(id)}/outcomes`;
      const list: List<PlanMigrationOutcome> = await openApi(config, options).get(path, {
        status,
        limit,
        cursor,
      });
      printList(options, list, {
        subscription: ({ subscription_id }) => subscription_id,
        customer: ({ customer_id }) => customer_id,
        status: (outcome) => outcome.status,
        reason: ({ reason, details }) => details?.map(({ message }) => message).join('; ') ?? reason,
      });
    });
}

/** Prints one document with --json: the preview with --dry-run, else the migration. */
async function showAndMigrate(
  config: Config,
  { from: from_plan_id, to: to_plan_id }: { from: string; to: string },
  { at, settle, proration, cycle, customer: customer_ids, custom, dryRun, yes, ...options }: MigrateOptions,
): Promise<void> {
  const { json } = options;
  const api = openApi(config, options);
  const body = { from_plan_id, to_plan_id, at, settle, proration, cycle, customer_ids, custom };
  if (!json || dryRun) {
    const preview: PlanMigrationPreview = await api.post(MIGRATIONS, { ...body, dry_run: true });
    printResult(options, preview, previewText(preview));
    if (dryRun) return;
    if (preview.total === 0) throw new Failure('nothing was changed: no subscription has the plan');
  }
  await askFirst({ yes, json }, 'Move them?');
  const headers = { 'Idempotency-Key': randomUUID() };
  printMigration(options, (await api.call<PlanMigration>('POST', MIGRATIONS, { body, headers })).body);
}

function previewText({ total, current, proposed, difference, data, has_more }: PlanMigrationPreview): string {
  const rows = data.map((subscription) => [
    subscription.subscription_id,
    subscription.customer_id,
    subscription.current,
    subscription.proposed,
    subscription.difference,
  ]);
  const of = has_more ? `the ${data.length} newest` : 'all';
  return inColumns([
    ['SUBSCRIPTION', 'CUSTOMER', 'NOW', 'THEN', 'DIFFERENCE'],
    ...rows,
    [`${total} in all; sums of ${of}:`, '', current, proposed, difference],
  ]);
}

function printMigration(options: ApiOptions, migration: PlanMigration): void {
  const { id, status, from_plan_id, to_plan_id, at, finished_at } = migration;
  const { total, changed, skipped, failed, taken_back } = migration;
  const counts = { total, changed, skipped, failed, taken_back };
  const count_texts = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, `${count}`]));
  const fields = { id, status, from: from_plan_id, to: to_plan_id, at, ...count_texts, finished_at };
  printResult(options, migration, fieldLines(fields));
}

function pathOf(id: string): string {
  return `${MIGRATIONS}/${encodeURIComponent(id)}`;
}
