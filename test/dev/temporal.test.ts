import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTemporal } from '../../src/dev/temporal-binary.ts';
import { startTemporal } from '../../src/dev/temporal-server.ts';
import { aFolder } from '../support/folder.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Looks for the command offline, with `bin` of a folder as the PATH and the folder as the cache. Returns what it says. */
function find(cache: string): string {
  const script = `import { findTemporal } from './src/dev/temporal-binary.ts';
    globalThis.fetch = () => Promise.reject(new Error('offline'));
    console.log(await findTemporal(null, () => undefined).catch((error) => error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: join(cache, 'bin'), XDG_CACHE_HOME: cache },
  });
  return stdout.trim();
}

function aCommand(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('the Temporal command', function () {
  this.timeout(60_000);

  it('is the one that TEMPORAL_CLI names, which must run', async () => {
    const folder = await aFolder();
    const good = aCommand(join(folder, 'good'), 'exit 0');
    assert.equal(await findTemporal(good, assert.fail), good);
    await assert.rejects(
      findTemporal(aCommand(join(folder, 'bad'), 'exit 1'), assert.fail),
      /^Error: TEMPORAL_CLI is .*bad/,
    );
  });

  it('is the one of the PATH before the one of the cache', async () => {
    const cache = await aFolder();
    const cached = aCommand(join(cache, 'tidemark/temporal-1.5.1/temporal'), 'exit 0');
    assert.equal(find(cache), cached);
    aCommand(join(cache, 'bin/temporal'), 'exit 0');
    assert.equal(find(cache), 'temporal');
  });

  it('is built by Go into the cache, whole or not at all', async () => {
    const cache = await aFolder();
    const built = 'printf "#!/bin/sh\\nexit 0\\n" > "$GOBIN/temporal"; /bin/chmod +x "$GOBIN/temporal"';
    aCommand(join(cache, 'bin/go'), `[ "$1" = version ] && exit 0; ${built}; exit 1`);
    assert.match(
      find(cache),
      /^There is no Temporal command \(.*; Command failed: go install .*\)\. Install it as /s,
    );
    aCommand(join(cache, 'bin/go'), `[ "$1" = version ] && exit 0; ${built}`);
    assert.equal(find(cache), join(cache, 'tidemark/temporal-1.5.1/temporal'));
  });

  it('that cannot be had is a sentence that says what to do', async () => {
    const found = find(await aFolder());
    assert.match(
      found,
      /there is no Go to build it with\)\. Install it .* or set TEMPORAL_CLI .* or TEMPORAL_ADDRESS /,
    );
  });

  it('that gives way leaves half of the processors to the others', async () => {
    const logs = await aFolder();
    const binary = aCommand(join(logs, 'temporal'), 'echo "processors: ${GOMAXPROCS:-all}."; exit 1');
    const options = { binary, namespace: 'billing', db_file: null, port: null, ui_port: null, logs };
    const half = Math.ceil(availableParallelism() / 2);
    await assert.rejects(
      startTemporal({ ...options, gives_way: true }),
      new RegExp(`processors: ${half}\\.$`),
    );
    await assert.rejects(startTemporal(options), /processors: all\.$/);
  });
});
