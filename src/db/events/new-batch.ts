import pg from 'pg';
import { uuidArray } from './binary-array.ts';
import { copyIn } from './copy-in.ts';
import { ROW_COLUMNS, eventRows } from './event-rows.ts';
import { customerKeyOf, type NewEvent } from './events.ts';
import { STATEMENT_SPAN } from '../connection/trace-pool.ts';
import { inSpan } from '../../telemetry/tracing.ts';

/**
 * Minimum batch size for COPY. In smaller batches the lookup costs more than COPY saves: 50 events take a tenth longer.
 */
const EVENTS_MIN = 100;
/**
 * Number of keys that are looked up to recognize a resent batch. Events are in hash order, so the first keys are as
 * good as a random sample.
 */
const KEYS_ASKED = 32;

const UNIQUE_VIOLATION = '23505';
/** SQLSTATE that refuse_deleted_customers raises. */
const CUSTOMER_DELETED = 'TM001';

const COPY = `copy events (${ROW_COLUMNS.join(', ')}) from stdin (format binary)`;

type Found = { first_id: string; now: string; latest: string; bucket: number; is_known: boolean };

const LOOKUP = {
  name: 'may-events-be-new',
  text: `select nextval('events_id_seq') as first_id, date_trunc('milliseconds', now()) as now,
      date_trunc('milliseconds', now()) + interval '24 hours' as latest, event_bucket() as bucket,
      exists (select 1 from event_keys k where k.key_hash = any($1::uuid[])) as is_known`,
};

/** True if events may be stored by COPY: there are enough of them, and all are live, so that none uses a test clock. */
export function mayBeCopied(events: readonly NewEvent[], events_min = EVENTS_MIN): boolean {
  return events.length >= events_min && events.every(({ livemode }) => livemode);
}

/**
 * Result of storing new events, all or none. `known`: some or all events were sent before; `refused`: COPY met an event
 * that is stored already; `in_future`: an event is more than 24 hours ahead; `unknown_customer`: a customer was deleted
 * since it was looked up.
 */
export type Attempt = 'stored' | 'known' | 'refused' | 'in_future' | 'unknown_customer';

/**
 * Fast path for all-new live batches (mayBeCopied): COPY, without a conflict check per row, 13 % cheaper than
 * storeBatch (decision 19). `now` is the instant of storing. On any attempt but `stored`, use storeBatch. COPY commits
 * on its own, so `db` must not be in a transaction.
 */
export async function storeNewBatch(
  db: pg.PoolClient,
  events: readonly NewEvent[],
): Promise<{ attempt: Attempt; now: string }> {
  const found = await lookUp(db, events);
  return { attempt: await attemptCopy(db, events, found), now: found.now };
}

async function attemptCopy(db: pg.PoolClient, events: readonly NewEvent[], found: Found): Promise<Attempt> {
  const { first_id, now, latest, bucket, is_known } = found;
  if (is_known) return 'known';
  if (events.some(({ timestamp }) => timestamp !== null && timestamp > latest)) return 'in_future';
  try {
    const rows = eventRows(events, { first_id: BigInt(first_id), now, bucket });
    await inSpan({ name: 'copy events', ...STATEMENT_SPAN }, () => copyIn(db, copyOf(events, bucket), rows));
    return 'stored';
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.code === UNIQUE_VIOLATION) return 'refused';
    if (error.code === CUSTOMER_DELETED) return 'unknown_customer';
    throw error;
  }
}

/**
 * Statements sent as one text are one transaction: no customer can be deleted between them, and no event is without its
 * key.
 */
function copyOf(events: readonly NewEvent[], bucket: number): string {
  const keys = [...new Set(events.map(customerKeyOf))];
  return `select refuse_deleted_customers('{${keys.join()}}'); ${COPY};
    select store_event_keys(${bucket}, ${events.length})`;
}

async function lookUp(db: pg.PoolClient, events: readonly NewEvent[]): Promise<Found> {
  const keys = uuidArray(events.slice(0, KEYS_ASKED), ({ key_hash }) => key_hash);
  const { rows } = await db.query<Found>({ ...LOOKUP, values: [keys] });
  return rows[0]!;
}
