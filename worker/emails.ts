import type { Pool } from '../src/db/connection/pool.ts';
import { ifUnlocked } from '../src/db/connection/session-lock.ts';
import { timeByClocks } from '../src/db/emails/clocks.ts';
import { emailsConsumer } from '../src/emails/consumer.ts';
import { remindAll, type CustomerKey } from '../src/emails/remind.ts';
import { sendDue, type Round } from '../src/emails/send.ts';
import { createEmailTransport } from '../src/emails/transport.ts';
import type { Emailer } from '../src/emails/try.ts';
import type { Config } from '../src/settings/config.ts';
import { dashboardUrlOf } from '../src/settings/public-url.ts';
import { keepConsuming, repeat, REST_AFTER_FAILURE_MS, REST_MS, type Report } from './repeat.ts';

/** How often a server that refuses the login is asked again. */
const REST_AFTER_REFUSAL_MS = 60_000;
const REST_OF_REMINDERS_MS = 60_000;
/** Emails of test clocks that are timed at once. */
const TIMED_AT_ONCE = 500;

type Services = { background_pool: Pool; pool: Pool; report: Report };

/** Writes emails and reminders and sends them until the signal: `pool` is that of reminding and sending. */
export function emailWork(
  { background_pool, pool, report }: Services,
  config: Config,
  signal: AbortSignal,
): Promise<void>[] {
  const { email } = config;
  const server =
    email === null ? null : { transport: createEmailTransport(email), sender_address: email.from.address };
  const emailer = { pool, server, portal_url: `${dashboardUrlOf(config)}portal` };
  return [
    keepWritingEmails({ pool: background_pool, has_smtp: email !== null, report }, signal),
    keepReminding({ pool, report }, signal),
    keepSendingEmails(emailer, signal, report).finally(() => server?.transport.close()),
  ];
}

/** Writes the emails of what is issued until the signal. Several workers may; one at a time writes. */
export async function keepWritingEmails(
  { pool, has_smtp, report }: { pool: Pool; has_smtp: boolean; report: Report },
  signal: AbortSignal,
): Promise<void> {
  const failed = (error: unknown) => report('emails cannot be written', { error });
  await keepConsuming({ pool, consumer: emailsConsumer({ has_smtp }), report: failed }, signal);
}

/** Writes reminders each minute until the signal. One worker at a time does, by an advisory lock. */
export async function keepReminding(
  { pool, report }: { pool: Pool; report: Report },
  signal: AbortSignal,
): Promise<void> {
  const reporting = (customer: CustomerKey, error: unknown) =>
    report('a customer cannot be reminded', { error, ...customer });
  await repeat(signal, async () => {
    try {
      await ifUnlocked(pool, 'tidemark.reminders', async () => {
        await remindAll({ pool, signal, report: reporting });
        while (!signal.aborted && (await timeByClocks(pool, TIMED_AT_ONCE)) === TIMED_AT_ONCE);
      });
    } catch (error) {
      report('reminders cannot be written', { error });
    }
    return REST_OF_REMINDERS_MS;
  });
}

/** Sends the emails that are due until the signal. One worker at a time does, by an advisory lock. */
export async function keepSendingEmails(
  emailer: Emailer,
  signal: AbortSignal,
  report: Report,
): Promise<void> {
  const reporting = ({ id }: { id: string }, error: unknown) =>
    report('an email cannot be sent', { error, email_id: id });
  await repeat(signal, async () => {
    try {
      const round = await ifUnlocked(emailer.pool, 'tidemark.emails', () =>
        sendDue(emailer, { signal, report: reporting }),
      );
      return restAfter(round);
    } catch (error) {
      report('emails cannot be sent', { error });
      return REST_AFTER_FAILURE_MS;
    }
  });
}

/** Null: another worker sends. */
function restAfter(round: Round | null): number {
  return round === 'login_refused' ? REST_AFTER_REFUSAL_MS : REST_MS;
}
