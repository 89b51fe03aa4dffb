import { setTimeout as pause } from 'node:timers/promises';

const INTERVAL_MS = 100;

/** Reads again and again until what was read is as it should become. Throws with the last reading when that takes too long. */
export async function eventually<Value>(
  read: () => Promise<Value>,
  isDone: (value: Value) => boolean,
  limit_ms = 60_000,
): Promise<Value> {
  const deadline = Date.now() + limit_ms;
  for (;;) {
    const value = await read();
    if (isDone(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)} after ${limit_ms} ms`);
    await pause(INTERVAL_MS);
  }
}
