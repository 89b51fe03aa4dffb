import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Linux reports clock ticks of 10 ms on every machine. */
const TICK_MICROSECONDS = 10_000;
/** Fields after the command's name in /proc/PID/stat: the parent; user and system time, also of ended children. */
const [PARENT, USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED] = [1, 11, 12, 13, 14];

/** The reason why processor time cannot be measured here; null if it can. */
export function processorTimeLacks(): string | null {
  if (existsSync('/proc/self/stat')) return null;
  return 'it needs /proc, where Linux says how much time a process has used';
}

/** Microseconds of processor time that a process with all its threads has used since its start. */
export function processorTime(pid: number): number {
  return timeIn(fieldsOf(pid), [USER, SYSTEM]);
}

/** Microseconds that a PostgreSQL has used since its start, with its sessions and workers, also those that ended. */
export function processorTimeOfServer(session_pid: number): number {
  const server = fieldsOf(session_pid)[PARENT]!;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => fieldsIfAlive(Number(pid)))
    .filter((fields) => fields[PARENT] === server);
  const own = timeIn(fieldsOf(server), [USER, SYSTEM, USER_OF_ENDED, SYSTEM_OF_ENDED]);
  return children.reduce((sum, fields) => sum + timeIn(fields, [USER, SYSTEM]), own);
}

function timeIn(fields: readonly number[], places: readonly number[]): number {
  return places.reduce((sum, place) => sum + fields[place]!, 0) * TICK_MICROSECONDS;
}

function fieldsOf(pid: number): number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

function fieldsIfAlive(pid: number): number[][] {
  try {
    return [fieldsOf(pid)];
  } catch {
    return [];
  }
}
