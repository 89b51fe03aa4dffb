import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { apiChecks } from './doctor/api.ts';
import { runChecks, type Checked } from './doctor/check.ts';
import { machineChecks } from './doctor/machine.ts';
import { postgresChecks } from './doctor/postgres.ts';
import { temporalChecks } from './doctor/temporal.ts';
import { withExamples } from './help.ts';
import { inColumns, jsonOption, printResult, type Printed } from './output.ts';

export function addDoctor(program: Command, config: Config): void {
  withExamples(
    program
      .command('doctor')
      .description(
        'look at everything that Tidemark needs, and say what to do where it fails; exits 1 where something did',
      )
      .addOption(jsonOption()),
    ['doctor', 'doctor --json'],
  ).action((options: Printed) => examine(config, options));
}

async function examine(config: Config, options: Printed): Promise<void> {
  const checks = await runChecks([
    ...machineChecks(config),
    ...postgresChecks(config),
    ...temporalChecks(config),
    ...apiChecks(config),
  ]);
  const is_well = checks.every(({ status }) => status !== 'fail');
  printResult(options, { is_well, checks }, textOf(checks));
  // A question that is never answered would keep the process: what is printed is handed over, then it ends.
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
