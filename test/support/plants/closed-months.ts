import { insertClosedMonth } from '../../../src/db/invoicing/closed-months.ts';
import { digestJournal } from '../../../src/db/invoicing/journal-digest.ts';
import { sumJournal } from '../../../src/db/invoicing/journal.ts';
import type { Db } from '../../../src/db/connection/pool.ts';
import * as given from '../ledger/billing.ts';
import { change, type Plant } from './plant.ts';

const MONTH = '2026-02';
const RANGE = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' };

/** Closes the month of the ledger's invoices, and then changes a column of its row. */
async function aClosedMonth(db: Db, changed: string): Promise<string> {
  const digest = await digestJournal(db, given.LIVE, RANGE);
  const data = await sumJournal(db, given.LIVE, RANGE);
  await insertClosedMonth(db, given.LIVE, { month: MONTH, ...RANGE, closed_by: 'key_1', ...digest, data });
  await db.query(`update closed_months set ${changed}`);
  return MONTH;
}

/** Closed months that are not those of the journal. */
export const CLOSED_MONTH_PLANTS: readonly Plant[] = [
  {
    invariant: 'I55',
    what: 'a closed month with an entry less than the journal',
    plant: (db) => aClosedMonth(db, 'entries = entries - 1'),
  },
  {
    invariant: 'I55',
    what: 'a closed month with another hash',
    plant: (db) => aClosedMonth(db, `journal_sha256 = repeat('0', 64)`),
  },
  {
    invariant: 'I55',
    what: 'a closed month with other sums',
    plant: (db) => aClosedMonth(db, `data = '[]'`),
  },
  {
    invariant: 'I55',
    what: 'no index that keeps a month from being closed twice',
    plant: (db) => change(db, 'closed_months', 'drop index closed_months_closed'),
  },
  {
    invariant: 'I52',
    what: 'a closed month without an entry in the audit log',
    plant: async (db) => {
      await db.query('alter table closed_months disable trigger audited');
      return aClosedMonth(db, 'id = id');
    },
  },
];
