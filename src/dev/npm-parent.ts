import { inheritedEnvironment } from '../config.ts';

const INTERVAL_MS = 500;

/** Calls `leave` when the npm that runs this process is gone: it passes on the signals that it gets, but SIGKILL it cannot. */
export function onNpmGone(leave: () => void): void {
  if (inheritedEnvironment().npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    leave();
  }, INTERVAL_MS);
}
