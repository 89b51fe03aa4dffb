import assert from 'node:assert/strict';
import type { Command } from 'commander';
import { CALL } from '../../cli/help.ts';
import { createProgram } from '../../cli/program.ts';
import { readConfig } from '../../src/settings/config.ts';
import { runCommand } from '../support/servers/command.ts';

/** Every command without subcommands, with its full name. */
function leavesOf(command: Command, names: readonly string[] = []): [string, Command][] {
  if (command.commands.length === 0) return [[names.join(' '), command]];
  return command.commands.flatMap((child) => leavesOf(child, [...names, child.name()]));
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (written) => (text += written) });
  command.outputHelp();
  return text;
}

/** Splits a line as a shell does: words, and words in single quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
}

describe('the help of the command line', () => {
  const leaves = leavesOf(createProgram(readConfig({})));

  it('found the commands', () => assert.ok(leaves.length > 10, `${leaves.length} commands`));

  for (const [name, command] of leaves) {
    it(`${name} has examples, and each is that command and parses`, async () => {
      const lines = helpOf(command)
        .split('\n')
        .filter((line) => line.includes(CALL))
        .map((line) => line.slice(line.indexOf(CALL) + CALL.length).trim());
      assert.ok(lines.length > 0);
      for (const line of lines) {
        const program = createProgram(readConfig({}));
        let ran = '';
        for (const [leaf_name, leaf] of leavesOf(program)) leaf.action(() => void (ran = leaf_name));
        await program.parseAsync(wordsOf(line), { from: 'user' });
        assert.equal(ran, name, line);
      }
    });
  }

  for (const [args, code] of [
    [['help', 'events', 'tail'], 0],
    [['events', 'tail', '--help'], 0],
    [['events'], 2],
    [['customers', 'lst'], 2],
    [['customers', 'show'], 2],
    [['customers', 'list', '--limit', '201'], 2],
    [['customers', 'list', '--url', 'ftp://nowhere'], 2],
    [['subscriptions', 'list', '--status', 'dead'], 2],
  ] as const) {
    it(`tidemark ${args.join(' ')} exits ${code}, with all output on ${code === 0 ? 'stdout' : 'stderr'}`, async () => {
      const ran = await runCommand({}, ...args);
      assert.equal(ran.code, code, ran.stderr);
      const [said, silent] = code === 0 ? [ran.stdout, ran.stderr] : [ran.stderr, ran.stdout];
      assert.notEqual(said, '');
      assert.equal(silent, '');
    });
  }
});
