import { readFileSync } from 'node:fs';

/** Resident memory of a process in megabytes. */
export function residentMegabytes(pid: number): number {
  return megabytesOf(pid, 'status', 'VmRSS');
}

/** Resident memory of a process and its children in megabytes; shared pages count once. */
export function familyMegabytes(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);
  const family = [pid, ...children.map(Number)];
  return family.reduce((sum, member) => sum + sharedMegabytes(member), 0);
}

/** Zero for a connection's process that has just ended. */
function sharedMegabytes(pid: number): number {
  try {
    return megabytesOf(pid, 'smaps_rollup', 'Pss');
  } catch {
    return 0;
  }
}

function megabytesOf(pid: number, file: string, name: string): number {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(
    readFileSync(`/proc/${pid}/${file}`, 'latin1'),
  );
  return Math.round((Number(line?.[1] ?? 0) * 1024) / 1e6);
}

/** Pid of the parent process. */
export function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))![1]);
}
