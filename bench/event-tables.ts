import { createPool } from '../src/db/connection/pool.ts';
import type { Place } from './servers.ts';

export type EventTable = 'events' | 'naive_events';

/** The tables that the sides of a figure fill in turn: our own, and one with the same columns, keys and indexes. */
export type EventTables = {
  /** Empties both tables and writes a checkpoint. */
  empty: () => Promise<void>;
  /** Throws unless the table has as many rows as were acknowledged. */
  check: (table: EventTable, acknowledged: number) => Promise<void>;
};

/** Creates the other table beside our own. */
export async function openEventTables({ database_url, stops }: Place): Promise<EventTables> {
  const pool = createPool(database_url, 1);
  stops.add(() => pool.end());
  await pool.query(`create table naive_events (like events including all);
    create unique index naive_events_key on naive_events (key_hash)`);
  return {
    async empty() {
      await pool.query('truncate events, event_keys, naive_events, usage_days, event_days restart identity');
      await pool.query('checkpoint');
    },
    async check(table, acknowledged) {
      const { rows } = await pool.query<{ count: string }>(`select count(*) from ${table}`);
      if (Number(rows[0]!.count) === acknowledged) return;
      throw new Error(`${table} holds ${rows[0]!.count} events, and ${acknowledged} were acknowledged`);
    },
  };
}
