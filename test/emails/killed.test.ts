import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  anIssuedInvoice,
  emailerOf,
  emailsOf,
  makeDue,
  send,
  useEmails,
  write,
} from '../support/ledger/outgoing-emails.ts';
import { eventually } from '../support/servers/eventually.ts';

const SENDER = fileURLToPath(new URL('../support/servers/email-sender.ts', import.meta.url));

describe('a process that is killed', () => {
  const { pool, server } = useEmails();

  /** Starts a process that sends; its end is of a signal. */
  function aSender() {
    const child = spawn(
      process.execPath,
      [SENDER, `${pool().options.connectionString}`, `${server().port}`],
      {
        stdio: 'ignore',
      },
    );
    return { child, ended: once(child, 'exit') };
  }

  const waitingForLocks = async () =>
    (
      await pool().query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length;

  it('between the answer of the server and the row has the email sent again, with the same Message-ID', async () => {
    const { invoice } = await anIssuedInvoice(pool(), 'ada@acme.com');
    await write(pool());
    const lock = await pool().connect();
    // The row is locked once the message is there, so the answer cannot be stored.
    server().onMessage(async () => {
      await lock.query('begin');
      await lock.query('select from emails for update');
      return null;
    });
    const { child, ended } = aSender();
    await eventually(waitingForLocks, (waiting) => waiting === 1);
    child.kill('SIGKILL');
    await ended;
    server().onMessage(async () => null);
    await pool().query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    await lock.query('rollback');
    lock.release();
    const [waits] = await emailsOf(pool());
    assert.deepEqual([waits!.status, waits!.attempts], ['queued', 0]);
    await makeDue(pool());
    await send(emailerOf(pool(), server()));
    const ids = server().mails.map(({ messageId }) => messageId);
    assert.deepEqual(ids, Array(2).fill(`<invoice.${invoice.id}@acme.com>`));
    assert.deepEqual(
      (await emailsOf(pool())).map(({ status, attempts }) => [status, attempts]),
      [['sent', 1]],
    );
  });
});
