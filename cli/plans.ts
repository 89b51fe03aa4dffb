import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { Plan, PlanPreview } from '../src/objects/plan.ts';
import { messageOf } from '../src/process/message-of.ts';
import type { List } from '../src/objects/parts.ts';
import {
  ApiFailure,
  askingApi,
  openApi,
  printingList,
  type Api,
  type ApiOptions,
  type PageOptions,
} from './api.ts';
import { askFirst } from './confirmation.ts';
import { addCustomPlan } from './custom-plan.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, inColumns, printLine, printList, printResult } from './output.ts';
import { addPlanMigrations } from './plan-migrations.ts';
import { bodyOf, planFile, readPlanFile, type FiledPlan } from './plan-file.ts';

const PLANS = '/v1/pricing-plans';
const PAGE = 200;

type ListOptions = ApiOptions & PageOptions & { planKey?: string; customer?: string; archived: boolean };
type ApplyOptions = ApiOptions & { dryRun: boolean; yes: boolean };

/** Adds `plans list`, `apply`, `export`, `archive` and `customize`, and the commands of plan migrations. */
export function addPlans(program: Command, config: Config): void {
  const plans = program.command('plans').description('pricing plans and their versions');
  addList(plans, config);
  addApply(plans, config);
  addExport(plans, config);
  addArchive(plans, config);
  addCustomPlan(plans, config);
  addPlanMigrations(plans, config);
}

function addList(plans: Command, config: Config): void {
  withExamples(printingList(plans.command('list').description('plans, newest first')), [
    'plans list',
    'plans list --plan-key pro --live',
  ])
    .option('--plan-key <key>', 'only the versions of this key')
    .option('--customer <id>', 'the custom plans of this customer, which the list has not otherwise')
    .option('--archived', 'only archived plans', false)
    .action(async (options: ListOptions) => {
      const { limit, cursor, planKey: key, customer: customer_id, archived } = options;
      const filter = { key, customer_id, archived: archived ? 'true' : undefined };
      const list = await openApi(config, options).get<List<Plan>>(PLANS, { ...filter, limit, cursor });
      printList(options, list, {
        id: ({ id }) => id,
        key: (plan) => plan.key,
        version: ({ version }) => version?.toString() ?? null,
        name: ({ name }) => name,
        currency: ({ currency }) => currency,
        every: ({ interval, interval_count }) => `${interval_count} ${interval}`,
        archived: ({ archived_at }) => archived_at,
      });
    });
}

function addApply(plans: Command, config: Config): void {
  const command = plans
    .command('apply')
    .description(
      'show in what the plans of a file differ from the newest versions, ask for confirmation, and make a version of each that differs',
    );
  withExamples(askingApi(command), [
    'plans apply plans.yaml --dry-run',
    'plans apply plans.yaml --live --yes',
  ])
    .argument(
      '<file>',
      'YAML or JSON: a list of plans with keys, each like the body of POST /v1/pricing-plans',
    )
    .option('--dry-run', 'print what differs, and change nothing', false)
    .option('-y, --yes', 'do not ask for confirmation; required with --json and without a terminal', false)
    .action((file: string, options: ApplyOptions) => showAndApply(config, file, options));
}

function addExport(plans: Command, config: Config): void {
  const command = plans
    .command('export')
    .description(
      'print the newest version of each key, but archived ones and custom plans, as a file for plans apply',
    );
  withExamples(askingApi(command), ['plans export --out plans.yaml', 'plans export --live --json'])
    .option('--out <file>', 'file to write (default: standard output)')
    .action(async ({ out, ...options }: ApiOptions & { out?: string }) => {
      const text = planFile(await newestPlans(openApi(config, options)), options);
      if (out === undefined) return void process.stdout.write(text);
      await writeFile(out, text).catch((error: unknown) => {
        throw new Failure(`${out} cannot be written: ${messageOf(error)}`);
      });
    });
}

function addArchive(plans: Command, config: Config): void {
  const description = 'archive a plan: no subscription begins with it or changes to it any more';
  withExamples(askingApi(plans.command('archive').description(description)), [
    'plans archive plan_...',
    'plans archive plan_... --take-back',
  ])
    .argument('<id>', 'plan_...')
    .option('--take-back', 'let it be chosen again', false)
    .action(async (id: string, { takeBack, ...options }: ApiOptions & { takeBack: boolean }) => {
      const path = `${PLANS}/${encodeURIComponent(id)}/archive`;
      const { body } = await openApi(config, options).call<Plan>(takeBack ? 'DELETE' : 'POST', path);
      const { key, version, name, archived_at } = body;
      const fields = { id: body.id, key, version: version?.toString() ?? null, name, archived_at };
      printResult(options, body, fieldLines(fields));
    });
}

/** Prints one document with --json: `previews` of all plans of the file, and `made`, the new versions. */
async function showAndApply(config: Config, file: string, options: ApplyOptions): Promise<void> {
  const { json, dryRun, yes } = options;
  const api = openApi(config, options);
  const plans = await readPlanFile(file);
  // All of them before the first is made: a plan with a fault keeps the others back.
  const previews: PlanPreview[] = [];
  for (const plan of plans) previews.push(await sendPlan<PlanPreview>(api, `${PLANS}/preview`, plan));
  const differing = plans.filter((_, place) => differs(previews[place]!));
  const is_shown_alone = dryRun || differing.length === 0;
  if (!json || !yes || is_shown_alone) printResult(options, { previews, made: [] }, previewText(previews));
  if (is_shown_alone) return;
  await askFirst({ yes, json }, `Make ${differing.length} versions?`);
  const made: Plan[] = [];
  for (const plan of differing) {
    const version = await sendPlan<Plan>(api, PLANS, plan);
    made.push(version);
    if (!json) printLine(`${version.key} version ${version.version}: ${version.id}`);
  }
  if (json) printResult(options, { previews, made }, '');
}

async function sendPlan<Body>(api: Api, path: string, plan: FiledPlan): Promise<Body> {
  try {
    const headers = { 'Idempotency-Key': randomUUID() };
    return (await api.call<Body>('POST', path, { body: plan, headers })).body;
  } catch (error) {
    if (error instanceof ApiFailure) throw new ApiFailure(`${plan.key}: ${error.message}`, error.status);
    throw error;
  }
}

function differs({ current, changes }: PlanPreview): boolean {
  return current === null || changes.length > 0;
}

function previewText(previews: readonly PlanPreview[]): string {
  return previews.length === 0 ? 'None.' : previews.map(textOf).join('\n');
}

function textOf({ key, version, current, changes, has_more }: PlanPreview): string {
  if (current === null) return `${key}: new`;
  const archived = current.archived_at === null ? '' : ', which is archived';
  if (changes.length === 0) return `${key}: as version ${current.version}${archived}`;
  const rows = changes.map(({ field, current: before, proposed }) => [
    `  ${field}`,
    before ?? '-',
    proposed ?? '-',
  ]);
  return [
    `${key}: version ${version} instead of version ${current.version}${archived}`,
    inColumns([['  FIELD', 'BEFORE', 'AFTER'], ...rows]),
    ...(has_more ? ['  More fields differ.'] : []),
  ].join('\n');
}

/**
 * The newest version of each key in the order of the keys, as bodies. A key whose newest version is archived is left
 * out.
 */
async function newestPlans(api: Api): Promise<FiledPlan[]> {
  const newest = new Map<string, Plan & { key: string }>();
  for (let cursor: string | undefined, has_more = true; has_more;) {
    const page: List<Plan> = await api.get(PLANS, { limit: PAGE, cursor });
    for (const plan of page.data) {
      const { key, version } = plan;
      if (key !== null && (newest.get(key)?.version ?? 0) < version!) newest.set(key, { ...plan, key });
    }
    has_more = page.has_more;
    cursor = page.next_cursor ?? undefined;
  }
  return [...newest.values()]
    .filter(({ archived_at }) => archived_at === null)
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(bodyOf);
}
