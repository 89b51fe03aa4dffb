import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { transaction, type Pool } from '../../../src/db/connection/pool.ts';
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

  function startSender(...killed_at: string[]): ChildProcess {
    const place = [`${pool().options.connectionString}`, `${server().port}`];
    return spawn(process.execPath, [SENDER, ...place, ...killed_at], { stdio: 'ignore' });
  }

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
      sender = startSender();
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
    await assertNoBreach(pool());
  });

  it('an email reaches its payer whichever statement of its writing and its sending a kill comes before', async () => {
    await pool().query(`update environments set email_attach = '[]'`);
    const killed_at: number[] = [];
    for (let statement = 1, was_killed = true; was_killed; statement++) {
      const { invoice } = await anIssuedInvoice(pool(), `payer-${statement}@acme.com`);
      server().mails.length = 0;
      const [, signal] = await once(startSender(`${statement}`), 'exit');
      was_killed = signal === 'SIGKILL';
      if (was_killed) killed_at.push(statement);
      await makeDue(pool());
      assert.deepEqual(await once(startSender(), 'exit'), [0, null]);
      const emails = (await emailsOf(pool())).filter(({ object_id }) => object_id === invoice.id);
      assert.deepEqual(
        emails.map(({ status }) => status),
        ['sent'],
        `killed before statement ${statement}`,
      );
      const received = server().mails.map(({ messageId }) => messageId);
      assert.deepEqual(new Set(received), new Set([`<invoice.${invoice.id}@acme.com>`]));
      assert.ok(received.length <= 2);
    }
    assert.ok(killed_at.length > 10, `${killed_at.length} statements`);
    await assertNoBreach(pool());
  });
});

async function assertNoBreach(pool: Pool): Promise<void> {
  const breaches = await transaction(pool, (db) => breachesOf(db));
  assert.deepEqual(
    breaches.filter(({ invariant }) => ['I60', 'I61', 'I62'].includes(invariant)),
    [],
  );
}
