import { eventIdOfUuid, uuidOfKey } from '../../../src/db/events/event-id.ts';
import { newId } from '../../../src/keys/ids.ts';
import * as given from '../ledger/billing.ts';
import { reseal } from '../ledger/sound-ledger.ts';
import { acknowledged, change, copyRow, insertEvent, lineOf, WRITTEN_EVENT, type Plant } from './plant.ts';

/** The id of the event whose key is `planted`. */
const PLANTED_EVENT = eventIdOfUuid(uuidOfKey(given.LIVE, 'planted'));

const MORE_ON_DRAFT = `update invoices set subtotal = subtotal + 1, tax_amount = tax_amount + 0.20, total = total + 1.20
  where id = $1`;

/** Faults of events, and of the lines that bill them. */
export const USAGE_PLANTS: readonly Plant[] = [
  {
    invariant: 'I1',
    what: 'an acknowledged event that is gone',
    plant: () => Promise.resolve('evt_00000000000000000000000001'),
    options: () => ({
      acknowledged: acknowledged({ id: 'evt_00000000000000000000000001', idempotency_key: 'lost' }),
      workflows: null,
    }),
  },
  {
    invariant: 'I1',
    what: 'an acknowledged event that is there under another key',
    plant: async (db, { customer }) => {
      await insertEvent(db, { ...WRITTEN_EVENT, customer_key: customer.key });
      return PLANTED_EVENT;
    },
    options: () => ({
      acknowledged: acknowledged({ id: PLANTED_EVENT, idempotency_key: 'asked' }),
      workflows: null,
    }),
  },
  {
    invariant: 'I2',
    what: 'a key that is there twice',
    plant: async (db, { customer }) => {
      await insertEvent(db, { ...WRITTEN_EVENT, customer_key: customer.key });
      return insertEvent(db, {
        ...WRITTEN_EVENT,
        customer_key: customer.key,
        key_hash: '00000000-0000-0000-0000-00000000abce',
      });
    },
  },
  {
    invariant: 'I2',
    what: 'a lost index',
    plant: (db) => change(db, 'event_keys', 'drop index event_keys_key'),
  },
  {
    invariant: 'I5',
    what: 'an event in two lines',
    plant: async (db, { customer, issued, draft }) => {
      // Add a draft for the issued invoice's next month, with a line that holds the same events at the matching amount.
      const [line, invoice] = [newId('li'), newId('inv')];
      const february = { period_start: '2026-02-01T00:00:00Z', period_end: '2026-03-01T00:00:00Z' };
      const sums = { subtotal: '40.00', tax_amount: '8.00', total: '48.00', credits_applied: 0 };
      const { subscription_id } = issued;
      const customer_id = customer.id;
      await copyRow(
        db,
        'invoices',
        { id: draft.id },
        { id: invoice, subscription_id, customer_id, ...february, ...sums },
      );
      await copyRow(
        db,
        'line_items',
        { id: lineOf(issued) },
        {
          id: line,
          invoice_id: invoice,
          ...february,
          full_period_start: february.period_start,
          credits_applied: 0,
          billable_quantity: 40,
          amount: '40.00',
        },
      );
      await copyRow(db, 'line_item_spans', { line_item_id: lineOf(issued) }, { line_item_id: line });
      return line;
    },
  },
  {
    invariant: 'I5',
    what: 'an event that a line left out',
    plant: async (db, { draft }) => {
      await change(
        db,
        lineOf(draft),
        `update line_item_spans set timestamp_to = '2026-01-02T00:00:02Z' where line_item_id = $1`,
        `update line_items set quantity = 2, billable_quantity = 2, amount = 2.00 where id = $1`,
      );
      await db.query(
        `update invoices set subtotal = 51.00, tax_amount = 10.20, total = 61.20 where id = $1`,
        [draft.id],
      );
      return lineOf(draft);
    },
  },
  {
    invariant: 'I6',
    what: 'a quantity that its events do not give',
    plant: (db, { draft }) =>
      change(db, lineOf(draft), 'update line_items set quantity = quantity + 1 where id = $1'),
  },
  {
    invariant: 'I6',
    what: 'a late line with a unit too many',
    plant: async (db, { late }) => {
      await change(db, lineOf(late, 'late_usage'), 'update line_items set quantity = 301 where id = $1');
      await reseal(db, late.id);
      return lineOf(late, 'late_usage');
    },
  },
  {
    invariant: 'I6',
    what: 'events said to be left out that are not',
    plant: (db, { draft }) =>
      change(db, lineOf(draft), 'update line_items set skipped_events = 1 where id = $1'),
  },
  {
    invariant: 'I7',
    what: 'an amount that is not the price',
    plant: async (db, { draft }) => {
      await change(db, draft.id, MORE_ON_DRAFT);
      return change(db, lineOf(draft), 'update line_items set amount = amount + 1 where id = $1');
    },
  },
  {
    invariant: 'I7',
    what: 'a flat amount that is not the price',
    plant: async (db, { draft }) => {
      await change(db, draft.id, MORE_ON_DRAFT);
      return change(db, lineOf(draft, 'flat'), 'update line_items set amount = amount + 1 where id = $1');
    },
  },
  {
    invariant: 'I7',
    what: 'a late line that was priced alone',
    plant: async (db, { late }) => {
      await change(db, lineOf(late, 'late_usage'), 'update line_items set amount = 30.00 where id = $1');
      await change(
        db,
        late.id,
        `update invoices set subtotal = subtotal + 5, late_usage = late_usage + 5, tax_amount = tax_amount + 1,
           total = total + 6 where id = $1`,
      );
      await reseal(db, late.id);
      return lineOf(late, 'late_usage');
    },
  },
  {
    invariant: 'I28',
    what: 'an event at no time',
    plant: (db, { customer }) =>
      insertEvent(db, { ...WRITTEN_EVENT, customer_key: customer.key, timestamp: 'infinity' }),
  },
  {
    invariant: 'I28',
    what: 'a grant of no number',
    plant: async (db, { grant }) => {
      await copyRow(db, 'credit_grants', { id: grant }, { id: 'cg_nan', amount: 'NaN', remaining: 'NaN' });
      await db.query(
        `insert into credit_ledger (environment_id, grant_id, type, amount, created_at)
         values ($1, 'cg_nan', 'granted', 'NaN', now())`,
        [given.LIVE],
      );
      return 'cg_nan';
    },
  },
];
