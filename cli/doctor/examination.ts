import type { Config } from '../../src/settings/config.ts';
import { inColumns, printResult, type Printed } from '../output.ts';
import { apiChecks } from './api.ts';
import { runChecks, type Checked } from './check.ts';
import { clusterChecks } from './cluster.ts';
import { machineChecks } from './machine.ts';
import { providerChecks } from './provider.ts';
import { postgresChecks } from './postgres.ts';
import { temporalChecks } from './temporal.ts';

/** Runs every check, prints the findings and exits: 1 if a check failed, else 0. */
export async function examine(config: Config, options: Printed): Promise<void> {
  const checks = await runChecks([
    ...machineChecks(config),
    ...postgresChecks(config),
    ...(await clusterChecks(config)),
    ...temporalChecks(config),
    ...apiChecks(config),
    ...providerChecks(config),
  ]);
  const is_well = checks.every(({ status }) => status !== 'fail');
  printResult(options, { is_well, checks }, textOf(checks));
  // A call that never ends would keep the process alive: flush the output, then exit.
  process.stdout.write('', () => process.exit(is_well ? 0 : 1));
}

function textOf(checks: readonly Checked[]): string {
  const rows = checks.map(({ status, what, detail }) => [status, what, detail.replace(/\s+/g, ' ')]);
  const lines = inColumns(rows).split('\n');
  return checks
    .flatMap(({ next_step }, index) => [
      lines[index]!,
      ...(next_step === null ? [] : [`      next: ${next_step}`]),
    ])
    .join('\n');
}
