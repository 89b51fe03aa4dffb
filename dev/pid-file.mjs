// Plain JavaScript: the installer needs it before any dependency is installed.
import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

export function identityOf(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return null;
  const started = process.platform === 'linux' ? startedOnLinux(pid) : startedByPs(pid);
  return started === null ? null : `${pid} ${started}`;
}

export function holderOf(path) {
  const identity = readOrNull(path);
  if (identity === null) return null;
  const pid = Number(identity.split(' ', 1)[0]);
  return identityOf(pid) === identity ? pid : null;
}

export function claim(path) {
  const own_file = `${path}.${process.pid}`;
  writeFileSync(own_file, identityOf(process.pid), { mode: 0o600 });
  try {
    for (;;) {
      if (linked(own_file, path)) return null;
      const holder = holderOf(path);
      if (holder !== null) return holder;
      removeStale(path, `${own_file}.stale`);
    }
  } finally {
    rmSync(own_file, { force: true });
  }
}

// Only one process can win the rename. If it moved a claim that was made after it looked, it puts that claim back.
function removeStale(path, aside) {
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (holderOf(aside) !== null) linked(aside, path);
  rmSync(aside);
}

// A link appears with its content, so that no process reads half a claim.
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

// proc_pid_stat(5): field 3 is the state, field 22 the start in clock ticks since boot; the name before them is in brackets.
function startedOnLinux(pid) {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return null;
  return `${readOrNull('/proc/sys/kernel/random/boot_id')?.trim()} ${fields[19]}`;
}

function startedByPs(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}

function readOrNull(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return null;
    throw error;
  }
}
