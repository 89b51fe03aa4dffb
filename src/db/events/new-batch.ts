import pg from 'pg';
import { uuidArray } from './binary-array.ts';
import { copyIn } from './copy-in.ts';
import { ROW_COLUMNS, eventRows } from './event-rows.ts';
import type { NewEvent } from './events.ts';

/** Of fewer events the question ahead costs more than COPY saves: of 50 it takes a tenth longer. */
const EVENTS_MIN = 100;
/** A batch that was sent before is known by its first keys. They are in the order of hashes, so that any few are as good as drawn. */
const KEYS_ASKED = 32;

const UNIQUE_VIOLATION = '23505';

const COPY = `copy events (${ROW_COLUMNS.join(', ')}) from stdin (format binary)`;

type Found = { first_id: string; now: string; latest: string; is_known: boolean };

/** One index lookup a key, whatever the planner believes of the table's size. */
const QUESTION = {
  name: 'may-events-be-new',
  text: `select nextval('events_id_seq') as first_id, date_trunc('milliseconds', now()) as now,
      date_trunc('milliseconds', now()) + interval '24 hours' as latest,
      exists (select from unnest($1::uuid[]) as asked(key_hash)
        cross join lateral (select from events e where e.key_hash = asked.key_hash limit 1) as known) as is_known`,
};

/** Whether events may go in by COPY: there are enough of them, and none goes by the clock of its customer. */
export function mayBeCopied(events: readonly NewEvent[]): boolean {
  return events.length >= EVENTS_MIN && events.every(({ submission }) => submission.livemode);
}

/**
 * What became of new events: all are stored, or none. `known`: some of them were sent before, perhaps all; `refused`: COPY met one
 * that is stored already; `in_future`: one is more than 24 hours ahead.
 */
export type Attempt = 'stored' | 'known' | 'refused' | 'in_future';

/**
 * Stores events that mayBeCopied and are all new, as they mostly are, at 0.87 of storeBatch's price: COPY asks nothing of each
 * (decision 19). All others are for storeBatch. One statement, which is a transaction of its own, so `db` must not be in one.
 */
export async function storeNewBatch(db: pg.PoolClient, events: readonly NewEvent[]): Promise<Attempt> {
  const { first_id, now, latest, is_known } = await ask(db, events);
  if (is_known) return 'known';
  if (events.some(({ submission: { timestamp } }) => timestamp !== null && timestamp > latest))
    return 'in_future';
  try {
    await copyIn(db, COPY, eventRows(events, { first_id: BigInt(first_id), now }));
    return 'stored';
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return 'refused';
    throw error;
  }
}

async function ask(db: pg.PoolClient, events: readonly NewEvent[]): Promise<Found> {
  const keys = uuidArray(events.slice(0, KEYS_ASKED), ({ submission }) => submission.key_hash);
  const { rows } = await db.query<Found>({ ...QUESTION, values: [keys] });
  return rows[0]!;
}
