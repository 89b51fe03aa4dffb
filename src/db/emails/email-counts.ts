import { oldestId } from '../../keys/ids.ts';
import type { EmailStatus } from '../../domain/email/email.ts';
import type { Db } from '../connection/pool.ts';

/** Emails of so many days are counted: those that may still be tried, and what became of the others. */
const COUNTED_DAYS = 4;
const DAY_MS = 86_400_000;

export type EmailCount = { environment: 'test' | 'live'; status: EmailStatus; count: number };

/** Emails that were written in the last four days, by environment and status. */
export async function countEmails(db: Db): Promise<EmailCount[]> {
  const { rows } = await db.query<EmailCount>(
    `select case when n.livemode then 'live' else 'test' end as environment, e.status, count(*)::integer as count
     from environments n join emails e on e.environment_id = n.id and e.id >= $1
     group by 1, 2 order by 1, 2`,
    [oldestId('eml', Date.now() - COUNTED_DAYS * DAY_MS)],
  );
  return rows;
}

/** The time for which the oldest email that is due has waited for its try; 0 if none is due. */
export async function emailWaitSeconds(db: Db): Promise<number> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from now() - min(next_attempt_at))::float8 as seconds from emails where status = 'queued'`,
  );
  return Math.max(rows[0]!.seconds ?? 0, 0);
}

/** Emails of an environment that did not arrive, of the last four days: those that were refused or failed. */
export async function countUndelivered(db: Db, environment_id: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer as count from emails
     where environment_id = $1 and status in ('refused', 'failed') and id >= $2`,
    [environment_id, oldestId('eml', Date.now() - COUNTED_DAYS * DAY_MS)],
  );
  return rows[0]!.count;
}
