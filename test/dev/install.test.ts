import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { aFolder } from '../support/folder.ts';

const DEV = fileURLToPath(new URL('../../src/dev/', import.meta.url));

/** A project whose one dependency stands for tsx, as a fresh clone without node_modules. */
async function aClone(program: string): Promise<string> {
  const folder = await aFolder();
  mkdirSync(join(folder, 'src/dev'), { recursive: true });
  for (const name of ['run.mjs', 'install.mjs', 'pid-file.mjs'])
    copyFileSync(DEV + name, join(folder, 'src/dev', name));
  mkdirSync(join(folder, 'tsx'));
  const tsx = { name: 'tsx', version: '1.0.0', type: 'module', exports: { './esm/api': './api.js' } };
  writeFileSync(join(folder, 'tsx/package.json'), JSON.stringify(tsx));
  writeFileSync(join(folder, 'tsx/api.js'), `export * from '${import.meta.resolve('tsx/esm/api')}';`);
  const dependencies = { tsx: 'file:tsx' };
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'clone', type: 'module', dependencies }),
  );
  writeFileSync(join(folder, 'program.ts'), program);
  const lock = spawnSync('npm', ['install', '--package-lock-only', '--offline'], {
    cwd: folder,
    encoding: 'utf8',
  });
  assert.equal(lock.status, 0, lock.stderr);
  return folder;
}

type Ran = { child: ChildProcess; output: () => string; code: Promise<number | null> };

function run(folder: string, ...args: string[]): Ran {
  const child = spawn(process.execPath, ['src/dev/run.mjs', 'program.ts', ...args], { cwd: folder });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output, code: once(child, 'close').then(([code]) => code as number | null) };
}

describe('run.mjs', function () {
  this.timeout(60_000);

  it('installs on a fresh clone, passes arguments and the exit code, and the next time installs nothing', async () => {
    const folder = await aClone(
      `const words: string[] = process.argv.slice(2); console.log(words.join('+')); process.exit(7);`,
    );
    const first = run(folder, 'a', '--b');
    assert.equal(await first.code, 7, first.output());
    assert.match(
      first.output(),
      /^Installing the dependencies \(npm ci\).*\nInstalled in \d+ s\.\na\+--b\n$/,
    );
    const second = run(folder, 'c');
    assert.equal(await second.code, 7);
    assert.equal(second.output(), 'c\n');
  });

  it('installs again when the lock file asks for something else', async () => {
    const folder = await aClone(`console.log('ran')`);
    await run(folder).code;
    const hidden = join(folder, 'node_modules/.package-lock.json');
    writeFileSync(
      hidden,
      readFileSync(hidden, 'utf8').replaceAll('"node_modules/tsx"', '"node_modules/another"'),
    );
    const again = run(folder);
    assert.equal(await again.code, 0);
    assert.match(again.output(), /^Installing.*\nInstalled.*\nran\n$/);
  });

  it('installs once for two at the same time', async () => {
    const folder = await aClone(`console.log('ran')`);
    const both = [run(folder), run(folder)];
    assert.deepEqual(await Promise.all(both.map(({ code }) => code)), [0, 0]);
    const outputs = both.map(({ output }) => output()).sort();
    assert.match(outputs[0]!, /^Installing.*\nInstalled.*\nran\n$/);
    assert.match(outputs[1]!, /^Process \d+ is installing the dependencies; waiting for it\.\nran\n$/);
  });

  it('says why an install failed', async () => {
    const folder = await aClone('');
    rmSync(join(folder, 'package-lock.json'));
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify({ lockfileVersion: 3, packages: { '': {}, x: {} } }),
    );
    const failed = run(folder);
    assert.equal(await failed.code, 1);
    assert.match(failed.output(), /npm ci failed after \d+ s:\n.*npm error/s);
    assert.equal(existsSync(join(folder, 'node_modules')), false);
  });

  it('passes signals to the program', async () => {
    const folder = await aClone(
      `process.on('SIGTERM', () => process.exit(9)); console.log('up'); setInterval(() => {}, 1000);`,
    );
    const running = run(folder);
    while (!running.output().includes('up')) {
      assert.equal(running.child.exitCode, null, running.output());
      await delay(20);
    }
    running.child.kill('SIGTERM');
    assert.equal(await running.code, 9);
  });
});
