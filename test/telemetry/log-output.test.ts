import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { logOutput } from '../../src/telemetry/log-output.ts';
import { aFolder } from '../support/servers/folder.ts';
import { eventually } from '../support/servers/eventually.ts';

/** Number of lines, more than a pipe holds, less than the log keeps for a slow reader. */
const LINES = 4000;
/** The first write has met the full pipe by then, and the others wait. */
const FULL_AFTER_MS = 500;

describe('the output of a log', () => {
  it('has every line, also the last ones when the process ends', async () => {
    const path = join(await aFolder(), 'log');
    const script = `import { standardOutput } from './src/telemetry/log-output.ts';
      for (let line = 0; line < 3; line++) standardOutput.write(line + '\\n');`;
    const descriptor = openSync(path, 'a');
    const args = ['--input-type=module', '-e', script];
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', descriptor, 'inherit'] });
    closeSync(descriptor);
    assert.deepEqual([status, readFileSync(path, 'utf8')], [0, '0\n1\n2\n']);
  });

  for (const when of ['while the process runs', 'at its exit'])
    it(`loses no line in a pipe that was full, ${when}`, async () => {
      // A pipe does not block after a module has touched process.stdout.
      const script = `import { writeSync } from 'node:fs';
        import { standardOutput } from './src/telemetry/log-output.ts';
        process.prependListener('exit', () => writeSync(2, 'exit'));
        process.stdout;
        for (let line = 0; line < ${LINES}; line++) standardOutput.write(line + ' '.repeat(200) + '\\n');
        setTimeout(() => writeSync(2, 'full'), ${FULL_AFTER_MS});
        process.stdin.on('end', () => process.exit(0)).resume();`;
      const args = ['--input-type=module', '-e', script];
      const child = spawn(process.execPath, args);
      const ended = once(child, 'close');
      await once(child.stderr, 'data');
      if (when === 'at its exit') {
        child.stdin.end();
        await once(child.stderr, 'data');
      }
      const lines: number[] = [];
      createInterface(child.stdout).on('line', (line) => void lines.push(Number(line)));
      if (when !== 'at its exit') await allCome(lines).catch(() => undefined);
      child.stdin.end();
      await ended;
      assert.deepEqual(
        lines,
        Array.from({ length: LINES }, (_, line) => line),
      );
    });

  const allCome = (lines: readonly number[]) =>
    eventually(
      async () => lines.length,
      (count) => count >= LINES,
      10_000,
    );

  it('never throws if there is no space, and goes on', async function () {
    if (!existsSync('/dev/full')) return this.skip();
    const path = join(await aFolder(), 'log');
    const full = openSync('/dev/full', 'w');
    const on_full_disk = logOutput(full);
    for (let line = 0; line < 100; line++) on_full_disk.write(`${'x'.repeat(20_000)}\n`);
    const file = openSync(path, 'a');
    logOutput(file).write(`${'y'.repeat(70_000)}\n`);
    const bytes = await eventually(
      async () => readFileSync(path).length,
      // A long text may be written in several parts.
      (length) => length >= 70_001,
    );
    assert.equal(bytes, 70_001);
    closeSync(file);
    closeSync(full);
  });
});
