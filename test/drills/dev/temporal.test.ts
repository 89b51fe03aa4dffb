import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTemporal } from '../../../dev/temporal-binary.ts';
import { startTemporal } from '../../../dev/temporal-server.ts';
import { aFolder } from '../../support/servers/folder.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Searches the command offline, with `bin` in the folder as the PATH and the folder as the cache. Returns all output. */
function find(cache: string): string {
  return findBy(
    join(cache, 'bin'),
    cache,
    `globalThis.fetch = () => Promise.reject(new Error('offline')); const published = undefined;`,
  );
}

/** Finds the binary online: every download returns this archive, and the published checksum is `sha256`. */
function findOnline(cache: string, archive: string, sha256: string): string {
  const platform = `${process.platform}-${process.arch}`;
  return findBy(
    `${join(cache, 'bin')}:/usr/bin:/bin`,
    cache,
    `const bytes = fs.readFileSync('${archive}');
    globalThis.fetch = () => Promise.resolve(new Response(bytes));
    const published = { '${platform}': '${sha256}' };`,
  );
}

function findBy(path: string, cache: string, network: string): string {
  const script = `import fs from 'node:fs';
    import { findTemporal } from './dev/temporal-binary.ts';
    ${network}
    const say = (line) => line.startsWith('Downloading') || console.log(line);
    console.log(await findTemporal(null, say, published).catch((error) => error.message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: path, XDG_CACHE_HOME: cache },
  });
  return stdout.trim();
}

function aCommand(path: string, script: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('the search for the Temporal command', function () {
  it('uses the binary that TEMPORAL_CLI names and refuses one that does not run', async () => {
    const folder = await aFolder();
    const good = aCommand(join(folder, 'good'), 'exit 0');
    assert.equal(await findTemporal(good, assert.fail), good);
    await assert.rejects(
      findTemporal(aCommand(join(folder, 'bad'), 'exit 1'), assert.fail),
      /^Error: TEMPORAL_CLI is .*bad/,
    );
  });

  it('prefers the PATH to the cache, if the version in the PATH is the known one', async () => {
    const cache = await aFolder();
    const cached = aCommand(join(cache, 'tidemark/temporal-1.5.1-sqlite-1.51.0/temporal'), 'exit 0');
    assert.equal(find(cache), cached);
    const on_path = join(cache, 'bin/temporal');
    for (const version of ['1.5.10', '1.4.0 (Server 1.5.1)', '0.0.0-DEV (Server 1.29.1, UI 2.42.1)']) {
      aCommand(on_path, `echo "temporal version ${version}"`);
      assert.deepEqual(find(cache).split('\n'), [
        'The temporal command in the PATH is not version 1.5.1, so it is not used. To use it, set TEMPORAL_CLI=temporal.',
        cached,
      ]);
    }
    aCommand(on_path, 'echo "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"');
    assert.equal(find(cache), 'temporal');
  });

  it('downloads the command, and runs it only if its checksum is the published one', async () => {
    const cache = await aFolder();
    aCommand(join(cache, 'made/temporal'), `touch ${join(cache, 'it-ran')}`);
    // Hides the commands of this machine.
    for (const name of ['go', 'temporal']) aCommand(join(cache, 'bin', name), 'exit 1');
    const archive = join(cache, 'archive.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', join(cache, 'made'), 'temporal']);
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex');
    assert.match(
      findOnline(cache, archive, '0'.repeat(64)),
      /^No temporal command was found \(the file from github.com has the wrong SHA-256: [0-9a-f]{64}; /,
    );
    assert.ok(!existsSync(join(cache, 'it-ran')));
    assert.equal(
      findOnline(cache, archive, sha256),
      join(cache, 'tidemark/temporal-1.5.1-sqlite-1.51.0/temporal'),
    );
  });

  it('builds the command with Go into the cache, completely or not at all', async () => {
    const cache = await aFolder();
    const built = 'printf "#!/bin/sh\\nexit 0\\n" > "$5"; /bin/chmod +x "$5"';
    aCommand(join(cache, 'bin/go'), `[ "$1" = version ] && exit 0; ${built}; exit 1`);
    assert.match(
      find(cache),
      /^No temporal command was found \(.*; Command failed: go build .*\)\. Install it \(/s,
    );
    aCommand(join(cache, 'bin/go'), `[ "$1" = version ] && exit 0; ${built}`);
    assert.equal(find(cache), join(cache, 'tidemark/temporal-1.5.1-sqlite-1.51.0/temporal'));
  });

  it('reports in a sentence what to do if no command can be found', async () => {
    const found = find(await aFolder());
    assert.match(
      found,
      /Go is not installed, so it cannot be built\)\. Install it .* set TEMPORAL_CLI .* or set TEMPORAL_ADDRESS /,
    );
  });

  it('lets a server with low priority leave half of the processors to others', async () => {
    const logs = await aFolder();
    const binary = aCommand(join(logs, 'temporal'), 'echo "processors: ${GOMAXPROCS:-all}."; exit 1');
    const options = { binary, namespace: 'billing', db_file: null, port: null, ui_port: null, logs };
    const half = Math.ceil(availableParallelism() / 2);
    await assert.rejects(
      startTemporal({ ...options, low_priority: true }),
      new RegExp(`processors: ${half}\\.$`),
    );
    await assert.rejects(startTemporal(options), /processors: all\.$/);
  });
});
