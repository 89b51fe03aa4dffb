import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import * as fs from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inheritedEnvironment } from '../src/settings/config.ts';
import { messageOf } from '../src/process/message-of.ts';
import { run } from './processes.ts';
import { withProgress, type Say } from './progress.ts';

const VERSION = '1.5.1';
/**
 * The Go module that builds it, with a later SQLite driver than its own. In its own driver a query that is cancelled as
 * it ends stays open, and then every later statement is interrupted, for ever. Its official archives have that driver;
 * `npm start` restarts a server that hangs.
 */
const BUILD = fileURLToPath(new URL('temporal-cli', import.meta.url));
/** The cache's folder; a new name after a change of that module. */
const CACHED = `temporal-${VERSION}-sqlite-1.51.0`;
const RELEASES = 'https://github.com/temporalio/cli/releases/download';

/** SHA-256 of that version's archives, by platform and processor, from its checksums.txt. */
type Checksums = Readonly<Record<string, string>>;
const PUBLISHED: Checksums = {
  'linux-x64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux-arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin-x64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin-arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

const CONNECT_LIMIT_MS = 5000;
const UNFINISHED = 'unfinished-';

const execute = promisify(execFile);

/**
 * The path of the Temporal command: the one asked for, else `temporal` on the PATH if it has our version, else the one
 * in the user's cache, filled by the official download or else by a Go build. If nothing works, throws one sentence
 * that says what to do.
 */
export async function findTemporal(
  asked_for: string | null,
  say: Say,
  published: Checksums = PUBLISHED,
): Promise<string> {
  if (asked_for !== null) {
    if ((await versionOf(asked_for)) !== null) return asked_for;
    throw new Error(`TEMPORAL_CLI is ${asked_for}, which is not a working temporal command`);
  }
  const on_path = await versionOf('temporal');
  if (on_path?.startsWith(`temporal version ${VERSION} `)) return 'temporal';
  if (on_path !== null)
    say(
      `The temporal command in the PATH is not version ${VERSION}, so it is not used. To use it, set TEMPORAL_CLI=temporal.`,
    );
  const cached = join(cacheFolder(CACHED), 'temporal');
  if (fs.existsSync(cached)) return cached;
  const failures: string[] = [];
  const ways = [(folder: string) => download(folder, say, published), (folder: string) => build(folder, say)];
  for (const fetchInto of ways) {
    try {
      await intoCache(cached, fetchInto);
      return cached;
    } catch (error) {
      failures.push(messageOf(error));
    }
  }
  throw new Error(
    `No temporal command was found (${failures.join('; ')}). ` +
      'Install it (https://docs.temporal.io/cli), set TEMPORAL_CLI to its path, or set TEMPORAL_ADDRESS to a server.',
  );
}

/** A folder in the user's cache, for downloads shared by all checkouts. */
export function cacheFolder(name: string): string {
  const { XDG_CACHE_HOME } = inheritedEnvironment();
  const base =
    XDG_CACHE_HOME === undefined || XDG_CACHE_HOME === '' ? join(homedir(), '.cache') : XDG_CACHE_HOME;
  return join(base, 'tidemark', name);
}

// The command appears in the cache by one rename, complete and tried, whatever another process does at the same time.
async function intoCache(cached: string, fetchInto: (folder: string) => Promise<void>): Promise<void> {
  fs.mkdirSync(dirname(cached), { recursive: true });
  removeAbandoned(dirname(cached));
  const folder = fs.mkdtempSync(join(dirname(cached), UNFINISHED));
  try {
    await fetchInto(folder);
    const fetched = join(folder, 'temporal');
    if ((await versionOf(fetched)) === null) throw new Error('the downloaded file does not run here');
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

async function download(folder: string, say: Say, published: Checksums): Promise<void> {
  const machine = `${process.platform}-${process.arch}`;
  const checksum = published[machine];
  if (checksum === undefined) throw new Error(`Temporal ${VERSION} is not published for ${machine}`);
  const bytes = await withProgress(`Downloading Temporal ${VERSION}`, receive(archiveUrl()), say);
  const received = hash('sha256', bytes);
  if (received !== checksum) throw new Error(`the file from github.com has the wrong SHA-256: ${received}`);
  const archive = join(folder, 'temporal.tar.gz');
  fs.writeFileSync(archive, bytes);
  await run('tar', ['-xzf', archive, '-C', folder, 'temporal'], {});
}

function archiveUrl(): string {
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  return `${RELEASES}/v${VERSION}/temporal_cli_${VERSION}_${process.platform}_${arch}.tar.gz`;
}

async function receive(url: string): Promise<Buffer> {
  const connecting = new AbortController();
  const timer = setTimeout(() => connecting.abort(), CONNECT_LIMIT_MS);
  const response = await fetch(url, { signal: connecting.signal })
    .catch(() => Promise.reject(new Error('github.com is not reachable')))
    .finally(() => clearTimeout(timer));
  if (!response.ok) throw new Error(`github.com responded with the status ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function build(folder: string, say: Say): Promise<void> {
  if ((await responseOf('go', ['version'])) === null)
    throw new Error('Go is not installed, so it cannot be built');
  const args = [
    'build',
    '-C',
    BUILD,
    '-o',
    join(folder, 'temporal'),
    'github.com/temporalio/cli/cmd/temporal',
  ];
  const building = run('go', args, { env: inheritedEnvironment() });
  await withProgress(`Building Temporal ${VERSION} with Go (once, about three minutes)`, building, say);
}

/** The version that a command prints; null if it does not run. */
function versionOf(command: string): Promise<string | null> {
  return responseOf(command, ['--version']);
}

async function responseOf(command: string, args: string[]): Promise<string | null> {
  return execute(command, args, { timeout: 30_000 }).then(
    ({ stdout }) => stdout,
    () => null,
  );
}
