import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { aFolder } from '../../support/servers/folder.ts';

const DEV = fileURLToPath(new URL('../../../dev/', import.meta.url));

const OWN_NODE = `exec '${process.execPath}' --title=own "$@"`;

/** A fresh clone without node_modules; its dependencies are stand-ins for tsx and for a Node of its own. */
async function aClone(program: string, own_node = OWN_NODE): Promise<string> {
  const folder = await aFolder();
  mkdirSync(join(folder, 'dev'), { recursive: true });
  for (const name of ['run.sh', 'install.mjs', 'pid-file.mjs'])
    copyFileSync(DEV + name, join(folder, 'dev', name));
  const tsx = { name: 'tsx', version: '1.0.0', type: 'module', exports: './tsx.js' };
  addPackage(folder, tsx, 'tsx.js', `import '${import.meta.resolve('tsx')}';`);
  const node = { name: 'node', version: '1.0.0', bin: './node' };
  addPackage(folder, node, 'node', `#!/bin/sh\n${own_node}\n`);
  const dependencies = { tsx: 'file:tsx', node: 'file:node' };
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

function addPackage(folder: string, about: { name: string }, file: string, text: string): void {
  mkdirSync(join(folder, about.name));
  writeFileSync(join(folder, about.name, 'package.json'), JSON.stringify(about));
  writeFileSync(join(folder, about.name, file), text, { mode: 0o755 });
}

type Ran = { child: ChildProcess; output: () => string; code: Promise<number | null> };

/** Runs the script as npm does, with the project's programs first in the PATH. */
function run(folder: string, ...args: string[]): Ran {
  const inherited = inheritedEnvironment();
  const env = { ...inherited, PATH: `${join(folder, 'node_modules/.bin')}:${inherited.PATH}` };
  const child = spawn('sh', ['dev/run.sh', 'program.ts', ...args], { cwd: folder, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return { child, output: () => output, code: once(child, 'close').then(([code]) => code as number | null) };
}

/** On a slow machine it says every five seconds that it is not done. */
const INSTALLED = /^Installing.*\n(?: {2}still installing.*\n)*Installed.*\nran\n$/;

describe('run.sh', function () {
  it('installs on a fresh clone, passes arguments and the exit code, and the next time installs nothing', async () => {
    const folder = await aClone(
      `const words: string[] = process.argv.slice(2); console.log(words.join('+')); process.exit(7);`,
    );
    const first = run(folder, 'a', '--b');
    assert.equal(await first.code, 7, first.output());
    assert.match(
      first.output(),
      /^Installing the dependencies \(npm ci\).*\n( +still installing.*\n)*Installed in \d+ s\.\na\+--b\n$/,
    );
    const second = run(folder, 'c');
    assert.equal(await second.code, 7);
    assert.equal(second.output(), 'c\n');
  });

  it("uses the project's own Node, from the first run on", async () => {
    const folder = await aClone(`console.log(process.title)`);
    const first = run(folder);
    assert.equal(await first.code, 0, first.output());
    assert.match(first.output(), /^Installing.*\n( +still installing.*\n)*Installed.*\nown\n$/);
    const second = run(folder);
    await second.code;
    assert.equal(second.output(), 'own\n');
  });

  it("uses the Node in the PATH if the project's Node lacks a library", async () => {
    const folder = await aClone(
      `console.log(process.title === 'own')`,
      `echo 'libatomic.so.1: not found' >&2; exit 127`,
    );
    const first = run(folder);
    assert.equal(await first.code, 0, first.output());
    assert.match(
      first.output(),
      /does not run here: libatomic\.so\.1: not found\. Continuing with .*\nfalse\n$/,
    );
    const second = run(folder);
    await second.code;
    assert.equal(second.output(), 'false\n');
  });

  it('installs again after a change of the lock file', async () => {
    const folder = await aClone(`console.log('ran')`);
    await run(folder).code;
    const hidden = join(folder, 'node_modules/.package-lock.json');
    writeFileSync(
      hidden,
      readFileSync(hidden, 'utf8').replaceAll('"node_modules/tsx"', '"node_modules/another"'),
    );
    const again = run(folder);
    assert.equal(await again.code, 0);
    assert.match(again.output(), INSTALLED);
  });

  it('installs once for two concurrent runs', async () => {
    const folder = await aClone(`console.log('ran')`);
    const both = [run(folder), run(folder)];
    assert.deepEqual(await Promise.all(both.map(({ code }) => code)), [0, 0]);
    const outputs = both.map(({ output }) => output()).sort();
    assert.match(outputs[0]!, INSTALLED);
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
