import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from '../connection/pool.ts';
import { settle } from '../events/settle.ts';
import { countEvents, countKeys, takeMark, type Counts, type Mark } from './counts.ts';
import { atRest, patiently } from './rest.ts';
import { bytesOnNodes } from './state.ts';
import { analyzeTables, distribute, distributedTables, TABLES, undistribute } from './tables.ts';

/** The events that were stored before a move began, counted before it and after it. */
export type Comparison = { before: Counts; after: Counts };

/** Receives the number of bytes that have arrived on the nodes. */
export type OnMoved = (bytes: number) => void;

const SHOW_MS = 1000;

/**
 * Sends the keys and the events to the nodes while others are stored. One that is there already stays, so that an
 * interrupted call is completed by the next one. Returns null if another process archives events. Throws the database's
 * error if it waits too long for a lock again and again.
 */
export async function moveToNodes(pool: Pool, onMoved: OnMoved): Promise<Comparison | null> {
  return atRest(pool, () =>
    compared(pool, async () => {
      const there = await distributedTables(pool);
      const showing = showEachSecond(async () => onMoved(await bytesOnNodes(pool)));
      try {
        for (const table of TABLES)
          if (!there.has(table)) await patiently(pool, (db) => distribute(db, table));
      } finally {
        await showing.end();
      }
      await analyzeTables(pool);
    }),
  );
}

/** Brings the events and the keys back to the coordinator; nothing is stored meanwhile. Otherwise like moveToNodes. */
export async function moveBack(pool: Pool): Promise<Comparison | null> {
  return atRest(pool, () =>
    compared(pool, async () => {
      for (const table of [...TABLES].reverse())
        if ((await distributedTables(pool)).has(table))
          await patiently(pool, (db) => undistribute(db, table));
      await analyzeTables(pool);
    }),
  );
}

/** Events are stored while they are counted and moved, so only those before are compared. */
async function compared(pool: Pool, move: () => Promise<void>): Promise<Comparison> {
  const mark = await takeMark(pool);
  await settle(pool, true);
  const before = await count(pool, mark);
  await move();
  return { before, after: await count(pool, mark) };
}

async function count(pool: Pool, mark: Mark): Promise<Counts> {
  const events = await countEvents(pool, mark);
  // With one table on the nodes and the other here, no statement sees an event and its key together.
  const is_between = (await distributedTables(pool)).size === 1;
  return { events, keys: is_between ? null : await countKeys(pool, mark) };
}

/** Calls `show` each second until its end; its failures are not those of the work. */
function showEachSecond(show: () => Promise<void>): { end: () => Promise<void> } {
  const ended = new AbortController();
  const showing = (async () => {
    while (!ended.signal.aborted) {
      await show().catch(() => undefined);
      await pause(SHOW_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  })();
  return {
    end: () => {
      ended.abort();
      return showing;
    },
  };
}
