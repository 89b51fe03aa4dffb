const FIRST_MS = 500;
const LONGEST_MS = 30_000;
/** Limits of a wait that a server asks for. Without the first one a Retry-After of 0 would be a tight loop. */
const RETRY_AFTER_MIN_MS = 100;
const RETRY_AFTER_MAX_MS = 60 * 60 * 1000;

/**
 * Milliseconds to wait before try number `tries` + 1: twice as long each time, up to 30 s, a random part of the second
 * half of it.
 */
export function backOffMs(tries: number): number {
  const longest_ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries - 1, 16));
  return longest_ms * (0.5 + Math.random() / 2);
}

/** Whether another try may have another result: timeouts, too many requests, faults of the server. */
export function isTemporary(status: number): boolean {
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

/**
 * Milliseconds that the header Retry-After asks for, in whole seconds or as a date; null without the header, or if it
 * says neither.
 */
export function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : msUntil(text, headers.get('date'));
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, RETRY_AFTER_MIN_MS), RETRY_AFTER_MAX_MS);
}

/**
 * Milliseconds from the date of the answer, not from this machine's clock, which may differ; NaN if one is missing or
 * no date.
 */
function msUntil(date: string, response_date: string | null): number {
  return date.endsWith('GMT') ? Date.parse(date) - Date.parse(response_date ?? '') : NaN;
}

export type Pause = {
  /**
   * Resolves after the milliseconds, or earlier by `end`. Without `keeps_alive` a process that has nothing else to do
   * ends meanwhile.
   */
  wait: (ms: number, keeps_alive: boolean) => Promise<void>;
  end: () => void;
};

/** A pause that can be ended; one wait at a time. */
export function createPause(): Pause {
  let end = (): void => undefined;
  return {
    wait: (ms, keeps_alive) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        if (!keeps_alive) timer.unref();
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}
