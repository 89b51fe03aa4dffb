import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { withExamples } from './help.ts';
import { jsonOption, type Printed } from './output.ts';

/** Adds `doctor`. */
export function addDoctor(program: Command, config: Config): void {
  withExamples(
    program
      .command('doctor')
      .description(
        'look at everything that Tidemark needs, and say what to do where it fails; exits 1 where something did',
      )
      .addOption(jsonOption()),
    ['doctor', 'doctor --json'],
  ).action(async (options: Printed) => {
    // Loaded on demand: other commands need not load Temporal's client.
    const { examine } = await import('./doctor/examination.ts');
    await examine(config, options);
  });
}
