import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import type { Plan, PlanPreview } from '../src/objects/plan.ts';
import { askingApi, openApi, type ApiOptions } from './api.ts';
import { askFirst } from './confirmation.ts';
import { Failure } from './failure.ts';
import { withExamples } from './help.ts';
import { fieldLines, inColumns, printLine, printResult } from './output.ts';
import { readFile } from './plan-file.ts';

const PLANS = '/v1/pricing-plans';

type Options = ApiOptions & { name?: string; dryRun: boolean; yes: boolean };

/** Adds `plans customize`. */
export function addCustomPlan(plans: Command, config: Config): void {
  const command = plans
    .command('customize')
    .description(
      'show in what a plan of one customer differs from its base, ask for confirmation, and make the plan',
    );
  withExamples(askingApi(command), [
    'plans customize pro acme prices.yaml --dry-run',
    'plans customize plan_... acme prices.yaml --name Pro-Acme --live --yes',
  ])
    .argument('<plan>', 'base: plan_..., or a key, which names its newest version')
    .argument('<customer>', 'cus_... or your external id; only it may use the plan')
    .argument(
      '<file>',
      'YAML or JSON: a list of overrides, or an object with overrides, grants, name and metadata, as in the body of POST /v1/pricing-plans',
    )
    .option('--name <name>', 'name of the plan (default: that of the file, else that of the base)')
    .option('--dry-run', 'print what differs, and change nothing', false)
    .option('-y, --yes', 'do not ask for confirmation; required with --json and without a terminal', false)
    .action((...[plan, customer, file, options]: [string, string, string, Options]) =>
      showAndMake(config, { plan, customer, file }, options),
    );
}

async function showAndMake(
  config: Config,
  { plan: based_on, customer: customer_id, file }: { plan: string; customer: string; file: string },
  { name, dryRun, yes, ...options }: Options,
): Promise<void> {
  const { json } = options;
  const api = openApi(config, options);
  const body = { ...(await termsOf(file)), ...(name === undefined ? {} : { name }), based_on, customer_id };
  const preview = await api.post<PlanPreview>(`${PLANS}/preview`, body);
  if (dryRun) return printResult(options, preview, textOf(preview));
  if (!json || !yes) printResult(options, preview, textOf(preview));
  await askFirst({ yes, json }, `Make this plan for ${customer_id}?`);
  const headers = { 'Idempotency-Key': randomUUID() };
  const { body: made } = await api.call<Plan>('POST', PLANS, { body, headers });
  if (json) return printResult(options, made, '');
  const { id, name: made_name } = made;
  printLine(fieldLines({ id, name: made_name, based_on: made.based_on, customer_id: made.customer_id }));
}

async function termsOf(path: string): Promise<object> {
  const terms = await readFile(path);
  if (Array.isArray(terms)) return { overrides: terms };
  if (typeof terms === 'object' && terms !== null) return terms;
  throw new Failure(`${path} must be a list of overrides, or an object with them`, 2);
}

function textOf({ current, changes, has_more }: PlanPreview): string {
  const { id, name } = current!;
  if (changes.length === 0) return `as ${name} (${id})`;
  const rows = changes.map(({ field, current: of_base, proposed }) => [
    `  ${field}`,
    of_base ?? '-',
    proposed ?? '-',
  ]);
  return [
    `instead of ${name} (${id})`,
    inColumns([['  FIELD', 'BASE', 'CUSTOM'], ...rows]),
    ...(has_more ? ['  More fields differ.'] : []),
  ].join('\n');
}
