import assert from 'node:assert/strict';
import { consumeAll } from '../../../src/db/changes/consume.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import type { EmailRow } from '../../../src/db/emails/emails.ts';
import { SWITCHED_KINDS } from '../../../src/domain/email/kind.ts';
import { emailsConsumer } from '../../../src/emails/consumer.ts';
import { sendDue, type Round } from '../../../src/emails/send.ts';
import { createEmailTransport } from '../../../src/emails/transport.ts';
import type { Emailer } from '../../../src/emails/try.ts';
import type { Invoice } from '../../../src/objects/invoice.ts';
import { emailSettingsOf } from '../../../src/settings/email-settings.ts';
import { atEnd } from '../servers/at-end.ts';
import { aMailServer, type MailServer } from '../servers/mail-server.ts';
import * as given from './billing.ts';

export const FROM = 'Acme <billing@acme.com>';

/** A customer with these addresses, and an invoice of it that was issued just now. */
export async function anIssuedInvoice(
  pool: Pool,
  ...billing_emails: string[]
): Promise<{ invoice: Invoice; customer: given.TestCustomer }> {
  const customer = await given.aCustomer(pool);
  await pool.query('update customers set name = $2, billing_emails = $3 where id = $1', [
    customer.id,
    'Ada Lovelace',
    JSON.stringify(billing_emails),
  ]);
  const plan = await given.aPlan(pool, [{ pricing: given.PER_UNIT }]);
  const subscription = await given.aSubscription(pool, customer, plan);
  await given.post(pool, customer, given.january(3));
  const invoice = await given.bill(pool, given.stepOf(subscription));
  assert.equal(invoice.total, '3.00');
  return { invoice, customer };
}

/** How a server is reached; `step_ms` is the longest wait for its next answer. */
export function emailerOf(
  pool: Pool,
  { port }: Pick<MailServer, 'port'>,
  { login, step_ms = 5000 }: { login?: string; step_ms?: number } = {},
): Emailer {
  const settings = emailSettingsOf({
    SMTP_URL: `smtp://${login === undefined ? '' : 'billing@'}127.0.0.1:${port}`,
    ...(login === undefined ? {} : { SMTP_PASSWORD: login }),
    ...{ EMAIL_FROM: FROM, EMAIL_RATE: '1000' },
  })!;
  const transport = createEmailTransport(settings, { step_ms });
  atEnd(() => Promise.resolve(transport.close()));
  return {
    pool,
    server: { transport, sender_address: settings.from.address },
    portal_url: 'https://billing.example.com/portal',
  };
}

/** Sends what is due now; a failure that is none of the server fails the test. */
export async function send(emailer: Emailer): Promise<Round> {
  const errors: unknown[] = [];
  const round = await sendDue(emailer, {
    signal: new AbortController().signal,
    report: (_, error) => errors.push(error),
  });
  assert.deepEqual(errors, []);
  return round;
}

/** Writes the emails of what was issued. */
export async function write(pool: Pool, has_smtp = true): Promise<void> {
  await consumeAll(pool, emailsConsumer({ has_smtp }));
}

/** Emails, in the order of their making. */
export async function emailsOf(pool: Pool): Promise<EmailRow[]> {
  return (await pool.query<EmailRow>('select * from emails order by id')).rows;
}

/** Makes what waits for another try due now. */
export async function makeDue(pool: Pool): Promise<void> {
  await pool.query(
    `update emails set next_attempt_at = date_trunc('milliseconds', now()) where status = 'queued'`,
  );
}

/** A ledger that sends all kinds at any hour, with a server, for the tests of one file. */
export function useEmails() {
  let pool: Pool;
  let server: MailServer;
  before(async () => (server = await aMailServer()));
  beforeEach(async () => {
    pool = await given.aLedger();
    await pool.query(`update environments set email_kinds = $1, email_hours = '{"from": 0, "until": 24}'`, [
      JSON.stringify(SWITCHED_KINDS),
    ]);
    server.mails.length = 0;
    server.onAddress(() => null);
    server.onMessage(async () => null);
  });
  afterEach(() => pool.end());
  return { pool: () => pool, server: () => server };
}
