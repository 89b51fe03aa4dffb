import fc from 'fast-check';
import type { Command } from '../commands/command.ts';

/** A command that runs the steps in order and skips those that are not possible at their turn. */
export function story(...steps: fc.Arbitrary<Command | null>[]): fc.Arbitrary<Command> {
  return fc.tuple(...steps.map((step) => fc.option(step, { freq: 9 }))).map((chosen) => {
    const commands = chosen.filter((step) => step !== null);
    return {
      check: () => true,
      run: async (world, session) => {
        for (const step of commands) if (step.check(world)) await step.run(world, session);
      },
      toString: () => `(${commands.join(', ')})`,
    };
  });
}

/** A step that half of the runs leave out. */
export function maybe(step: fc.Arbitrary<Command>): fc.Arbitrary<Command | null> {
  return fc.option(step, { freq: 2 });
}
