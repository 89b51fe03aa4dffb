const INTERVAL_MS = 5000;

/** Shows on stderr how far a command is. */
export type Progress = { show: (done: number) => void; end: () => void };

/** One line that counts up on a terminal; elsewhere a line every five seconds. The total may be a guess, or null. */
export function createProgress(what: string, total: number | null): Progress {
  const { isTTY } = process.stderr;
  let shown_at = performance.now();
  return {
    show: (done) => {
      const text = total === null ? `${done} ${what}` : `${done} of ${Math.max(done, total)} ${what}`;
      if (isTTY) process.stderr.write(`\r${text}`);
      else if (performance.now() - shown_at > INTERVAL_MS) {
        shown_at = performance.now();
        process.stderr.write(`${text}\n`);
      }
    },
    end: () => void (isTTY && process.stderr.write('\n')),
  };
}
