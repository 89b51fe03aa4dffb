import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { transaction } from '../../../src/db/connection/pool.ts';
import { inheritedEnvironment } from '../../../src/settings/config.ts';
import { CONNECTIONS } from '../../../src/emails/transport.ts';
import { breachesOf } from '../../support/ledger/sound.ts';
import {
  anIssuedInvoice,
  emailsOf,
  makeDue,
  useEmails,
  write,
} from '../../support/ledger/outgoing-emails.ts';

/** The whole drill: `EMAIL_INVOICES=1000 npm test -- test/drills/faults/emails-under-kills.test.ts`. */
const { EMAIL_INVOICES = '200' } = inheritedEnvironment();
const INVOICES = Number(EMAIL_INVOICES);
const SENDER = fileURLToPath(new URL('../../support/servers/email-sender.ts', import.meta.url));
/** Faults by the number of messages that the server reads from one to the next. */
const EACH = { killed: 23, cut: 17, put_off: 13 };

/** billing.md 16: one email a reason, whatever is killed, cut or put off. */
describe('emails under kills', function () {
  this.timeout(600_000);
  const { pool, server } = useEmails();

  it(`${INVOICES} invoices reach their payers, each under one Message-ID, and twice only by a kill or a cut`, async () => {
    // Files are made as in every other test; here the way of an email counts.
    await pool().query(`update environments set email_attach = '[]'`);
    const invoices: string[] = [];
    for (let n = 0; n < INVOICES; n++)
      invoices.push((await anIssuedInvoice(pool(), `payer-${n}@acme.com`)).invoice.id);
    await write(pool());
    let sender: ChildProcess | null = null;
    const faults = { killed: 0, cut: 0, put_off: 0 };
    let read = 0;
    server().onMessage(async (_, connection) => {
      read++;
      if (read % EACH.killed === 0 && sender!.kill('SIGKILL')) faults.killed++;
      else if (read % EACH.cut === 0) {
        faults.cut++;
        connection.destroy();
      } else if (read % EACH.put_off === 0) {
        faults.put_off++;
        return { code: 451, text: '4.7.1 Try again later' };
      }
      return null;
    });
    const waits = async () => (await emailsOf(pool())).some(({ status }) => status === 'queued');
    while (await waits()) {
      await makeDue(pool());
      sender = spawn(process.execPath, [SENDER, `${pool().options.connectionString}`, `${server().port}`], {
        stdio: 'ignore',
      });
      await once(sender, 'exit');
    }
    const emails = await emailsOf(pool());
    assert.deepEqual(
      emails.map(({ object_id, status }) => [object_id, status]),
      invoices.map((id) => [id, 'sent']),
    );
    const wanted = new Set(invoices.map((id) => `<invoice.${id}@acme.com>`));
    const received = server().mails.map(({ messageId }) => messageId!);
    assert.deepEqual(new Set(received), wanted);
    const again = received.length - INVOICES;
    const most = faults.killed * CONNECTIONS + faults.cut + faults.put_off;
    assert.ok(again <= most, `${again} messages came again by ${JSON.stringify(faults)}`);
    assert.ok(faults.killed > 0 && faults.cut > 0 && faults.put_off > 0);
    const breaches = await transaction(pool(), (db) => breachesOf(db));
    const of_emails = breaches.filter(({ invariant }) => ['I60', 'I61', 'I62'].includes(invariant));
    assert.deepEqual(of_emails, []);
  });
});
