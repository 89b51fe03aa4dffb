import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { logOutput } from '../src/log-output.ts';
import { aFolder } from './support/folder.ts';
import { eventually } from './support/eventually.ts';

describe('the output of a log', () => {
  it('has every line, also the last ones when the process ends', async () => {
    const path = join(await aFolder(), 'log');
    const script = `import { standardOutput } from './src/log-output.ts';
      for (let line = 0; line < 3; line++) standardOutput.write(line + '\\n');`;
    const descriptor = openSync(path, 'a');
    const args = ['--import', 'tsx', '--input-type=module', '-e', script];
    const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', descriptor, 'inherit'] });
    closeSync(descriptor);
    assert.deepEqual([status, readFileSync(path, 'utf8')], [0, '0\n1\n2\n']);
  });

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
