const INTERVAL_MS = 5000;

/** Shows on stderr how far a command is. */
export type Progress = { show: (done: number) => void; end: () => void };

/** One line that counts up on a terminal; elsewhere a line every five seconds. */
export function createProgress(what: string, total: number): Progress {
  const { isTTY } = process.stderr;
  let shown_at = performance.now();
  return {
    show: (done) => {
      const text = `${done} of ${total} ${what}`;
      if (isTTY) process.stderr.write(`\r${text}`);
      else if (performance.now() - shown_at > INTERVAL_MS) {
        shown_at = performance.now();
        process.stderr.write(`${text}\n`);
      }
    },
    end: () => void (isTTY && process.stderr.write('\n')),
  };
}
