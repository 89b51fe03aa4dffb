import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inheritedEnvironment } from '../config.ts';
import { messageOf } from '../message-of.ts';
import { run } from './processes.ts';
import { withProgress, type Say } from './progress.ts';

// The last version that `go install` takes: later ones have a replace directive in their go.mod.
const VERSION = '1.5.1';
const CONNECT_LIMIT_MS = 5000;
const UNFINISHED = 'unfinished-';

/**
 * The path of the Temporal command: the one asked for, else `temporal` on the PATH, else the one in the user's cache, where
 * the official download or else a build by Go puts it. Throws one sentence that says what to do when nothing works.
 */
export async function findTemporal(asked_for: string | null, say: Say): Promise<string> {
  if (asked_for !== null) {
    if (await runs(asked_for)) return asked_for;
    throw new Error(`TEMPORAL_CLI is ${asked_for}, which does not run as a temporal command`);
  }
  if (await runs('temporal')) return 'temporal';
  const cached = join(cacheFolder(`temporal-${VERSION}`), 'temporal');
  if (fs.existsSync(cached)) return cached;
  const failures: string[] = [];
  for (const fetchInto of [download, build]) {
    try {
      await intoCache(cached, (folder) => fetchInto(folder, say));
      return cached;
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw new Error(
    `There is no Temporal command (${failures.join('; ')}). ` +
      'Install it as https://docs.temporal.io/cli says, or set TEMPORAL_CLI to its path or TEMPORAL_ADDRESS to a server.',
  );
}

/** A folder of the user's, for what is fetched once for all checkouts. */
export function cacheFolder(name: string): string {
  const { XDG_CACHE_HOME } = inheritedEnvironment();
  const base =
    XDG_CACHE_HOME === undefined || XDG_CACHE_HOME === '' ? join(homedir(), '.cache') : XDG_CACHE_HOME;
  return join(base, 'tidemark', name);
}

// The command appears in the cache by one rename, whole and tried, whatever another process does at the same time.
async function intoCache(cached: string, fetchInto: (folder: string) => Promise<void>): Promise<void> {
  fs.mkdirSync(dirname(cached), { recursive: true });
  removeAbandoned(dirname(cached));
  const folder = fs.mkdtempSync(join(dirname(cached), UNFINISHED));
  try {
    await fetchInto(folder);
    const fetched = join(folder, 'temporal');
    if (!(await runs(fetched))) throw new Error('what arrived does not run here');
    fs.renameSync(fetched, cached);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function removeAbandoned(cache: string): void {
  for (const name of fs.readdirSync(cache)) {
    const path = join(cache, name);
    const is_old =
      Date.now() - (fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 3_600_000;
    if (name.startsWith(UNFINISHED) && is_old) fs.rmSync(path, { recursive: true, force: true });
  }
}

async function download(folder: string, say: Say): Promise<void> {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `https://temporal.download/cli/archive/v${VERSION}?platform=${process.platform}&arch=${arch}`;
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(), CONNECT_LIMIT_MS);
  const response = await fetch(url, { signal: connecting.signal })
    .catch(() => Promise.reject(new Error('temporal.download cannot be reached')))
    .finally(() => clearTimeout(timer));
  if (!response.ok || response.body === null)
    throw new Error(`temporal.download answered ${response.status}`);
  const archive = join(folder, 'temporal.tar.gz');
  await withProgress(
    `Downloading Temporal ${VERSION}`,
    pipeline(Readable.fromWeb(response.body), fs.createWriteStream(archive)),
    say,
  );
  await run('tar', ['-xzf', archive, '-C', folder, 'temporal'], {});
}

async function build(folder: string, say: Say): Promise<void> {
  if (!(await succeeds('go', ['version']))) throw new Error('there is no Go to build it with');
  const environment = { ...inheritedEnvironment(), GOBIN: folder };
  const install = run('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${VERSION}`], {
    env: environment,
  });
  await withProgress(`Building Temporal ${VERSION} with Go (once, about three minutes)`, install, say);
}

function runs(command: string): Promise<boolean> {
  return succeeds(command, ['--version']);
}

async function succeeds(command: string, args: string[]): Promise<boolean> {
  return run(command, args, { timeout: 30_000 }).then(
    () => true,
    () => false,
  );
}
