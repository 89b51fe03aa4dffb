import pg from 'pg';
import type { ChangedObject } from '../../domain/feed/change-types.ts';
import { CAUSES, statusOfCause } from '../../domain/usage/billing-cause.ts';
import { changesOf, type LoggedChange, type NewChange } from '../../domain/feed/feed.ts';
import { groupedBy } from '../../domain/money/grouped.ts';
import { newId } from '../../keys/ids.ts';
import { attempt, type Db } from '../connection/pool.ts';
import { insertChanges, takeNumbers, type NumberedChange } from './feed.ts';
import { readObjects, type FeedObject } from './objects.ts';

const DATA_BYTES_MAX = 256 * 1024;

type Told = { change: NewChange; object: FeedObject | null };

/**
 * Numbers and stores the changes of rows of the log, in the caller's transaction. `data` is the object as it is now, so
 * never older than the change.
 */
export async function publishChanges(db: Db, rows: readonly LoggedChange[]): Promise<void> {
  const changes = changesOf(rows);
  for (const of_environment of groupedBy(changes, ({ environment_id }) => `${environment_id}`).values())
    await publishOf(db, of_environment[0]!.environment_id, of_environment);
}

async function publishOf(db: Db, environment_id: number, changes: readonly NewChange[]): Promise<void> {
  const objects = await objectsOf(db, environment_id, changes);
  const told = changes.flatMap((change): Told[] => {
    const object = objects.get(change.object_type)!.get(change.object_id) ?? null;
    if (!isFirstPeriod(change, object)) return [{ change, object }];
    // The change of its subscription is published once: with its start, or alone after a trial.
    if (changes.some((other) => other !== change && isOfSameObject(other, change))) return [];
    return [{ change: { ...change, type: 'subscription.updated' }, object }];
  });
  if (told.length === 0) return;
  const customers = await customersOf(db, environment_id, told);
  const numbered = told.map((publication): NumberedChange => {
    const { type, object_id, actor, created_at } = publication.change;
    const customer = customers.find(isOf(publication));
    return {
      id: newId('chn'),
      type,
      object_id,
      actor,
      created_at,
      data: dataOf(publication, customer),
      customer_key: customer?.id ?? null,
      customer_id: customer?.external_id ?? null,
    };
  });
  await insertChanges(db, environment_id, await takeNumbers(db, environment_id, numbered.length), numbered);
}

async function objectsOf(
  db: Db,
  environment_id: number,
  changes: readonly NewChange[],
): Promise<Map<ChangedObject, Map<string, FeedObject>>> {
  const objects = new Map<ChangedObject, Map<string, FeedObject>>();
  for (const of_type of groupedBy(changes, (change) => change.object_type).values()) {
    const { object_type } = of_type[0]!;
    const ids = [...new Set(of_type.map(({ object_id }) => object_id))];
    objects.set(object_type, await readWhatCanBe(db, environment_id, { object_type, ids }));
  }
  return objects;
}

/**
 * Reads objects; where one cannot be read, each alone without it, so that the changes of one customer never stop those
 * of others.
 */
async function readWhatCanBe(
  db: Db,
  environment_id: number,
  { object_type, ids }: { object_type: ChangedObject; ids: readonly string[] },
): Promise<Map<string, FeedObject>> {
  const whole = await readOrNull(db, environment_id, { object_type, ids });
  if (whole !== null) return whole;
  const objects = new Map<string, FeedObject>();
  for (const id of ids) {
    const alone = await readOrNull(db, environment_id, { object_type, ids: [id] });
    for (const [key, object] of alone ?? []) objects.set(key, object);
  }
  return objects;
}

/**
 * The objects; null if their rows make it fail, in the database or here. Without a connection the transaction fails all
 * the same.
 */
async function readOrNull(
  db: Db,
  environment_id: number,
  selection: { object_type: ChangedObject; ids: readonly string[] },
): Promise<Map<string, FeedObject> | null> {
  let objects: Map<string, FeedObject> | null = null;
  await attempt(db, async () => {
    objects = await readObjects(db, environment_id, selection).catch((error: unknown) => {
      if (error instanceof pg.DatabaseError) throw error;
      return null;
    });
  });
  return objects;
}

/**
 * The first billing period of a subscription begins at its start, or at the end of its trial; only later ones are
 * renewals.
 */
function isFirstPeriod({ type, row }: NewChange, object: FeedObject | null): boolean {
  if (type !== 'subscription.renewed' || object === null) return false;
  const { start_date, trial_end_date } = object;
  return Date.parse(`${row['period_start']}`) === Date.parse(`${trial_end_date ?? start_date}`);
}

function isOfSameObject(change: NewChange, other: NewChange): boolean {
  return (
    change.xid === other.xid &&
    change.object_type === other.object_type &&
    change.object_id === other.object_id
  );
}

type Customer = { id: string; external_id: string };

/** The customers concerned. One that is gone is known from its own row. */
async function customersOf(db: Db, environment_id: number, told: readonly Told[]): Promise<Customer[]> {
  const keys = told.flatMap(({ change }) => keyOf(change) ?? []);
  const external_ids = told.flatMap((publication) =>
    keyOf(publication.change) === null ? (publication.object?.customer_id ?? []) : [],
  );
  const { rows } = await db.query<Customer>(
    `select id, external_id from customers
     where environment_id = $1 and (id = any($2) or external_id = any($3))`,
    [environment_id, [...new Set(keys)], [...new Set(external_ids)]],
  );
  const gone = told.flatMap(({ change: { type, row, object_id: id } }) =>
    type === 'customer.deleted' ? [{ id, external_id: `${row['external_id']}` }] : [],
  );
  return [...rows, ...gone];
}

function isOf({ change, object }: Told): (customer: Customer) => boolean {
  const key = keyOf(change);
  return ({ id, external_id }) => (key === null ? external_id === object?.customer_id : id === key);
}

/** The `cus_` id of the customer, if the row has it. */
function keyOf({ object_type, object_id, row }: NewChange): string | null {
  if (object_type === 'customer') return object_id;
  return typeof row['customer_id'] === 'string' ? row['customer_id'] : null;
}

/** A notice of events that no invoice counts, or that came late, from its row in the log. */
function noticeOf(row: NewChange['row'], customer: Customer | undefined): object {
  const { event_name, events } = row;
  const { status, reason } = statusOfCause(CAUSES.find((cause) => cause === row['cause'])!);
  const [from, to] = [row['from_day'], row['to_day']].map((day) => new Date(`${day}`).toISOString());
  const customer_id = customer?.external_id ?? null;
  return { object: 'usage_notice', customer_id, event_name, status, reason, events, from, to };
}

/** The text of the object as GET answers it, and of a deletion as DELETE answers; null if it is too large or gone. */
function dataOf(
  { change: { type, object_type, object_id, row }, object }: Told,
  customer: Customer | undefined,
): string | null {
  if (object_type === 'usage') return JSON.stringify(noticeOf(row, customer));
  if (type.endsWith('.deleted')) return JSON.stringify({ id: object_id, object: object_type, deleted: true });
  if (object === null) return null;
  const text = JSON.stringify(object);
  return Buffer.byteLength(text) > DATA_BYTES_MAX ? null : text;
}
