import { findAccount } from '../../db/account/accounts.ts';
import type { Db } from '../../db/connection/pool.ts';
import { journalPages } from '../../db/invoicing/journal.ts';
import { closestNumber } from '../../domain/invoice/account-number.ts';
import { lacksOf, needsOf, type DatevSettings, type Need } from '../../domain/invoice/datev-lacks.ts';
import { DATEV_DIGITS, headLines, rowLine } from '../../domain/invoice/datev-lines.ts';
import { postingsOf } from '../../domain/invoice/datev-postings.ts';
import type { JournalEntry } from '../../domain/invoice/journal.ts';
import { BillingError, invalid, type ErrorDetail } from '../../domain/money/errors.ts';
import { minorDigits } from '../../domain/money/money.ts';
import { dayReader } from '../../domain/time/local-time.ts';
import type { Account } from '../../objects/account.ts';

/** The journal of a month, from and to as half-open instants, in one currency. */
type Asked = { month: string; from: string; to: string; currency: string };

/** The most rows that DATEV takes in a file. */
const ROWS_MAX = 99_999;

/** The name of a file, which DATEV wants to begin like this. */
export function datevFileName({ month, currency }: Pick<Asked, 'month' | 'currency'>): string {
  return `EXTF_${month}_${currency}.csv`;
}

/**
 * The reason why there is no file for DATEV; null if there is one: invalid_request `not_allowed` for a currency with
 * more decimals than the file has; conflict with a detail `missing` for each setting that the file needs and the
 * account lacks, and `too_many` for more rows than DATEV takes.
 */
export async function datevRefusal(
  db: Db,
  environment_id: number,
  asked: Asked,
): Promise<BillingError | null> {
  const { currency } = asked;
  if (minorDigits(currency) > DATEV_DIGITS)
    return invalid('currency', 'not_allowed', `currency ${currency} has more decimals than the two of DATEV`);
  const account = await findAccount(db, environment_id);
  const { needs, rows } = await readNeeds(db, environment_id, asked);
  const lacks = lacksOf(settingsOf(account), needs);
  const details = rows > ROWS_MAX ? [...lacks, tooMany(asked)] : lacks;
  return details.length === 0 ? null : new BillingError('conflict', details);
}

function tooMany({ month, currency }: Asked): ErrorDetail {
  const message = `the file of ${month} in ${currency} has more than ${ROWS_MAX} rows, the most that DATEV takes`;
  return { param: null, reason: 'too_many', message };
}

/** The accounts that the rows need, each once, and the number of rows; no more is read than a file may have. */
async function readNeeds(
  db: Db,
  environment_id: number,
  asked: Asked,
): Promise<{ needs: Need[]; rows: number }> {
  const needs = new Map<string, Need>();
  let rows = 0;
  for await (const page of journalPages(db, environment_id, asked)) {
    for (const entry of page)
      for (const posting of postingsOf(entry)) {
        rows++;
        for (const need of needsOf(posting, entry)) needs.set(Object.values(need).join(), need);
      }
    if (rows > ROWS_MAX) break;
  }
  return { needs: [...needs.values()], rows };
}

/**
 * Writes the file of DATEV: EXTF 700, format 21 in version 13, in Windows-1252, a piece for each page of the journal.
 * The caller has asked datevRefusal. Throws its conflict where the account lacks a setting meanwhile.
 */
export async function* datevFile(
  db: Db,
  environment_id: number,
  asked: Asked & { created_at: string },
): AsyncGenerator<Buffer> {
  const account = await findAccount(db, environment_id);
  const { timezone, datev } = account;
  const settings = settingsOf(account);
  if (datev === null) throw new BillingError('conflict', lacksOf(settings, []));
  yield bytesOf(headLines({ ...datev, ...asked, timezone }));
  const dayOf = dayReader(timezone);
  for await (const page of journalPages(db, environment_id, asked))
    yield bytesOf(page.flatMap((entry) => rowsOf(settings, { ...entry, day: dayOf(entry.at) })).join(''));
}

function rowsOf(settings: DatevSettings, entry: JournalEntry & { day: string }): string[] {
  const { account_numbers } = settings;
  return postingsOf(entry).map((posting) => {
    const konto = closestNumber(account_numbers, posting.konto, entry);
    const gegenkonto = closestNumber(account_numbers, posting.gegenkonto, entry);
    if (konto === null || gegenkonto === null)
      throw new BillingError('conflict', lacksOf(settings, needsOf(posting, entry)));
    return rowLine({ posting, konto, gegenkonto }, entry);
  });
}

function settingsOf({ account_numbers, datev }: Pick<Account, 'account_numbers' | 'datev'>): DatevSettings {
  return { account_numbers, account_length: datev?.account_length ?? null };
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
