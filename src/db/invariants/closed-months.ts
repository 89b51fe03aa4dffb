import { digestJournal } from '../invoicing/journal-digest.ts';
import { sumJournal } from '../invoicing/journal.ts';
import type { JournalSum } from '../../objects/journal.ts';
import type { Db } from '../connection/pool.ts';
import { byCode, codePart, missingIndex, sqlPart, type UnitFault } from './invariant.ts';
import { byEnvironment, type Unit } from './unit.ts';

/** Agreement of closed months with the journal. In test data clocks may be in a closed month, and book in it. */
export const CLOSED_MONTH_INVARIANTS = [
  byCode(
    'I55',
    'A closed month of live data has the entries, the sums and the hash of the journal of its time, and is closed once.',
    [
      codePart('closed_month', changedMonths),
      sqlPart('database', [
        missingIndex('closed_months', '(environment_id, month) WHERE (opened_at IS NULL)'),
      ]),
    ],
  ),
];

type Row = {
  id: string;
  month: string;
  month_from: string;
  month_to: string;
  entries: number;
  journal_sha256: string;
  data: JournalSum[];
};

/** Reads the journal of each month once, a page at a time. */
async function changedMonths(db: Db, units: readonly Unit[]): Promise<UnitFault[]> {
  const faults: UnitFault[] = [];
  for (const [environment_id, ids] of byEnvironment(units)) {
    const { rows } = await db.query<Row>(
      `select m.id, m.month, m.month_from, m.month_to, m.entries::float8 as entries, m.journal_sha256, m.data
       from closed_months m join environments n on n.id = m.environment_id
       where m.environment_id = $1 and m.id = any($2) and m.opened_at is null and n.livemode order by m.month`,
      [environment_id, ids],
    );
    for (const month of rows) {
      const what = await differenceOf(db, environment_id, month);
      if (what !== null)
        faults.push({ unit: { environment_id, id: month.id }, row: `closed month ${month.month}`, what });
    }
  }
  return faults;
}

async function differenceOf(db: Db, environment_id: number, month: Row): Promise<string | null> {
  const range = { from: month.month_from, to: month.month_to };
  const { entries, journal_sha256 } = await digestJournal(db, environment_id, range);
  if (entries !== month.entries) return `has ${month.entries} entries, and the journal ${entries}`;
  if (journal_sha256 !== month.journal_sha256) return 'has another hash than the journal';
  const is_equal = textOf(month.data) === textOf(await sumJournal(db, environment_id, range));
  return is_equal ? null : 'has other sums than the journal';
}

function textOf(sums: readonly JournalSum[]): string {
  return sums
    .map(({ currency, account, debit, credit }) => `${currency} ${account} ${debit} ${credit}`)
    .join();
}
