import { existsSync, readFileSync } from 'node:fs';

/** Linux reports clock ticks of 10 ms on every machine. */
const TICK_MICROSECONDS = 10_000;
/** Fields after the command's name in /proc/PID/stat: user time and system time. */
const [USER, SYSTEM] = [11, 12];

/** The reason why processor time cannot be measured here; null if it can. */
export function processorTimeLacks(): string | null {
  if (existsSync('/proc/self/stat')) return null;
  return 'it needs /proc, where Linux says how much time a process has used';
}

/** Microseconds of processor time that a process with all its threads has used since its start. */
export function processorTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  const numbers = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(numbers[USER]) + Number(numbers[SYSTEM])) * TICK_MICROSECONDS;
}
