import { setTimeout as pause } from 'node:timers/promises';
import { beginBatches, endOfBatch, isIdle, lockConsumer, moveOn, type Consumer } from './consumers.ts';
import { transaction, type Pool } from '../connection/pool.ts';

const BUSY_MS = 200;

/**
 * The end of a call: `more` may follow, or the consumer is `done` with all that was there, or another process works for
 * it.
 */
export type Consumed = 'more' | 'done' | 'busy';

/**
 * Lets a consumer of the log read its next batch, in one transaction with its work and its place, so that each row is
 * read once, whenever a process dies.
 */
export async function consumeNext(pool: Pool, consumer: Consumer): Promise<Consumed> {
  const { name, work } = consumer;
  // Asked before the lock, which is a write.
  if (await isIdle(pool, name)) return 'done';
  return transaction(pool, async (db) => {
    if (!(await lockConsumer(db, name))) return 'busy';
    const are_new = await beginBatches(db, name);
    const last = await endOfBatch(db, consumer);
    if (last !== null) await work(db);
    await moveOn(db, name, last);
    // More may have come since earlier batches began.
    return last?.is_full === true || !are_new ? 'more' : 'done';
  });
}

/** Lets a consumer read all that is there. What comes meanwhile may be left for the next time. */
export async function consumeAll(pool: Pool, consumer: Consumer, signal?: AbortSignal): Promise<void> {
  while (signal?.aborted !== true) {
    const consumed = await consumeNext(pool, consumer);
    if (consumed === 'done') return;
    if (consumed === 'busy') await pause(BUSY_MS);
  }
}
