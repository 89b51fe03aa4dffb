import type { Command } from 'commander';
import type { Config } from '../src/settings/config.ts';
import { withExamples } from './help.ts';
import { jsonOption, type Printed } from './output.ts';

/** Adds `doctor`. */
export function addDoctor(program: Command, config: Config): void {
  withExamples(
    program
      .command('doctor')
      .description(
        'check everything that Tidemark needs and show how to correct failures; exits with 1 if a check fails',
      )
      .addOption(jsonOption()),
    ['doctor', 'doctor --json'],
  ).action(async (options: Printed) => {
    // Loaded on demand: other commands need not load Temporal's client.
    const { examine } = await import('./doctor/examination.ts');
    await examine(config, options);
  });
}
