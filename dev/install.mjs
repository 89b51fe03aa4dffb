// node dev/install.mjs: runs on a fresh clone, so it may import nothing but Node's own modules.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { claim } from './pid-file.mjs';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const REASON_LINES = 20;
const root = fileURLToPath(new URL('../', import.meta.url));

try {
  refuseOldNode();
  await install();
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

/** Brings node_modules to the state of package-lock.json. Concurrent calls of several processes install once. */
async function install() {
  if (isInstalled()) return;
  const lock = join(
    tmpdir(),
    `tidemark-install-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.lock`,
  );
  let told = false;
  for (let holder = claim(lock); holder !== null; holder = claim(lock)) {
    if (!told) console.error(`Process ${holder} is installing the dependencies; waiting for it.`);
    told = true;
    await delay(250);
  }
  try {
    if (isInstalled()) return;
    await runNpm();
    leaveOutNodeThatFails();
  } finally {
    rmSync(lock, { force: true });
  }
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Tidemark needs Node 20.19 or newer; this is ${process.versions.node}.`);
}

// npm writes node_modules/.package-lock.json last, so its presence proves that an install finished.
function isInstalled() {
  const locked_packages = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  return Object.entries(locked_packages).every(([path, { version, optional }]) => {
    if (path === '') return true;
    const installed_package = present[path];
    return installed_package === undefined ? optional === true : installed_package.version === version;
  });
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch (error) {
    if (error.code === 'ENOENT') return {};
    throw error;
  }
}

async function runNpm() {
  const started = performance.now();
  const seconds = () => `${Math.round((performance.now() - started) / 1000)} s`;
  console.error('Installing the dependencies (npm ci); this takes about half a minute.');
  const progress = setInterval(() => console.error(`  still installing, ${seconds()}`), 5000);
  const output = [];
  const npm = spawn('npm', ['ci', '--include=dev', '--no-progress', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = (signal) => npm.kill(signal) && process.exit(1);
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve, reject) => npm.on('error', reject).on('close', resolve));
  clearInterval(progress);
  for (const signal of STOP_SIGNALS) process.off(signal, stop);
  if (code === 0) return console.error(`Installed in ${seconds()}.`);
  const reason = Buffer.concat(output).toString('utf8').trim().split('\n').slice(0, REASON_LINES);
  throw new Error(`npm ci failed after ${seconds()}:\n${reason.join('\n')}`);
}

// Some machines lack the libraries that the installed Node needs. Remove it then, and later commands use the Node that runs this
// file.
function leaveOutNodeThatFails() {
  const own_node = join(root, 'node_modules/.bin/node');
  if (!existsSync(own_node)) return;
  const { status, stderr } = spawnSync(own_node, ['--version'], { encoding: 'utf8' });
  if (status === 0) return;
  rmSync(own_node);
  console.error(
    `The Node of package-lock.json does not run here: ${stderr.trim()}. Continuing with ${process.versions.node}.`,
  );
}
