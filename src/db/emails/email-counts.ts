import type { EmailStatus } from '../../domain/email/email.ts';
import type { Db } from '../connection/pool.ts';

/** Days whose emails are counted: longer than an email is tried. */
const COUNTED_DAYS = 4;

export type EmailCount = { environment: 'test' | 'live'; status: EmailStatus; count: number };

/** Emails that were written in the last four days, by environment and status. */
export async function countEmails(db: Db): Promise<EmailCount[]> {
  const { rows } = await db.query<EmailCount>(
    `select case when n.livemode then 'live' else 'test' end as environment, e.status, count(*)::integer as count
     from emails e join environments n on n.id = e.environment_id
     where e.created_at >= now() - interval '${COUNTED_DAYS} days'
     group by 1, 2 order by 1, 2`,
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
     where environment_id = $1 and status in ('refused', 'failed')
       and created_at >= now() - interval '${COUNTED_DAYS} days'`,
    [environment_id],
  );
  return rows[0]!.count;
}
