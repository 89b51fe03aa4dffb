import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MS = 100;

/** Polls `read` until `isDone` accepts the value. Throws with the last value after `limit_ms`. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  limit_ms = 120_000,
): Promise<Value> {
  const deadline = Date.now() + limit_ms;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)} after ${limit_ms} ms`);
    await pause(INTERVAL_MS);
  }
}
