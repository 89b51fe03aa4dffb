import { inheritedEnvironment } from '../src/settings/config.ts';

const INTERVAL_MS = 500;

/**
 * Calls `leave` when the npm that started this process is gone. npm forwards its signals, but cannot forward SIGKILL.
 */
export function onNpmGone(leave: () => void): void {
  if (inheritedEnvironment().npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    clearInterval(watch);
    leave();
  }, INTERVAL_MS);
}
