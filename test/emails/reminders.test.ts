import assert from 'node:assert/strict';
import { remindAll } from '../../src/emails/remind.ts';
import { dayAfter } from '../../src/domain/time/local-time.ts';
import { emailerOf, emailsOf, makeDue, send, useEmails } from '../support/ledger/outgoing-emails.ts';
import { anOwedInvoice, aPayer, dayFromNow, moveTo, sweep, useSteps } from '../support/ledger/reminders.ts';

describe('reminders', () => {
  const { pool, server } = useEmails();

  const midnights = (from: string, count: number) =>
    Array.from({ length: count }, (_, days) => `${dayAfter(from, days)}T00:00:00.000Z`);
  const daysOf = async () => (await emailsOf(pool())).map(({ reason }) => reason.split('.')[2]);

  it('of an invoice due on 10 March go on 7, 11, 17 and 24 March, at the hours of the customer', async () => {
    await useSteps(pool(), [-3, 1, 7, 14]);
    await pool().query(`update environments set email_hours = '{"from": 8, "until": 18}'`);
    const payer = await aPayer(pool());
    const invoice = await anOwedInvoice(pool(), payer, '2026-03-10');
    for (const midnight of midnights('2026-03-01', 31)) await moveTo(pool(), payer, midnight);
    const emails = await emailsOf(pool());
    assert.deepEqual(
      emails.map(({ reason, send_at }) => [reason, send_at]),
      [7, 11, 17, 24].map((day) => {
        const date = `2026-03-${`${day}`.padStart(2, '0')}`;
        return [`reminder.${payer.id}.${date}`, `${date}T08:00:00.000Z`];
      }),
    );
    for (const { kind, object_id, invoice_ids } of emails)
      assert.deepEqual([kind, object_id, invoice_ids], ['reminder', payer.id, [invoice.id]]);
  });

  it('are one a day and list all that is owed: due 10, 10 and 11 March, two emails', async () => {
    await useSteps(pool(), [1]);
    const payer = await aPayer(pool());
    const invoices: string[] = [];
    for (const due of ['2026-03-10', '2026-03-10', '2026-03-11'])
      invoices.push((await anOwedInvoice(pool(), payer, due)).number!);
    for (const midnight of midnights('2026-03-10', 5)) {
      await moveTo(pool(), payer, midnight);
      await send(emailerOf(pool(), server()));
    }
    const [first, second, ...more] = server().mails;
    assert.deepEqual(more, []);
    const [a, b, c] = invoices;
    assert.equal(first!.subject, `Payment reminder from Account: ${a}, ${b}`);
    assert.equal(second!.subject, `Payment reminder from Account: ${c}`);
    const lines = [
      `${a}, due 10 March 2026: USD\u00a03.00`,
      `${b}, due 10 March 2026: USD\u00a03.00`,
      `${c}, due 11 March 2026: USD\u00a03.00`,
    ].join('\n');
    for (const mail of [first, second]) {
      assert.ok(mail!.text!.includes(lines), mail!.text);
      assert.match(mail!.text!, /Total amount due: USD\s9\.00/);
      assert.ok(`${mail!.html}`.includes(lines.replaceAll('\n', '<br>\n')));
    }
    assert.match(second!.text!, new RegExp(`^Invoice: ${c}$`, 'm'));
    assert.match(second!.text!, /Due date: 11 March 2026/);
  });

  it('are one a day, however often and by however many workers they are looked for', async () => {
    await useSteps(pool(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const payer = await aPayer(pool());
    for (let days = 0; days < 10; days++) await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -days));
    for (let round = 0; round < 22; round++) {
      await Promise.all([sweep(pool()), sweep(pool())]);
      await send(emailerOf(pool(), server()));
    }
    assert.equal(server().mails.length, 1);
    assert.equal((await emailsOf(pool()))[0]!.invoice_ids.length, 10);
  });

  it('leave once after a crash between the writing and the sending, and after a restore', async () => {
    await useSteps(pool(), [1]);
    await anOwedInvoice(pool(), await aPayer(pool()), await dayFromNow(pool(), -1));
    await sweep(pool());
    await sweep(pool());
    await send(emailerOf(pool(), server()));
    await sweep(pool());
    await send(emailerOf(pool(), server()));
    assert.deepEqual(
      server().mails.map(({ messageId }) => messageId),
      (await emailsOf(pool())).map(({ reason }) => `<${reason}@acme.com>`),
    );
    assert.equal(server().mails.length, 1);
  });

  it('are none of a step that is more than two days old: switching on sends nothing old', async () => {
    const payer = await aPayer(pool());
    for (const days of [-4, -30]) await anOwedInvoice(pool(), payer, await dayFromNow(pool(), days));
    await useSteps(pool(), [1, 7, 14]);
    await sweep(pool());
    assert.deepEqual(await emailsOf(pool()), []);
    await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -3));
    await sweep(pool());
    assert.deepEqual(await daysOf(), [await dayFromNow(pool(), 0)]);
  });

  it('are those of the customer where it has days of its own, and none for an empty list', async () => {
    await useSteps(pool(), [1]);
    const [own, none, all] = [await aPayer(pool()), await aPayer(pool()), await aPayer(pool())];
    await pool().query(`update customers set reminder_days = '[5]' where id = $1`, [own.id]);
    await pool().query(`update customers set reminder_days = '[]' where id = $1`, [none.id]);
    for (const payer of [own, none, all]) {
      await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -1));
      await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -5));
    }
    await sweep(pool());
    const emails = await emailsOf(pool());
    assert.deepEqual(emails.map(({ customer_id }) => customer_id).sort(), [own.id, all.id].sort());
    await useSteps(pool(), []);
    await pool().query('delete from emails');
    await sweep(pool());
    assert.deepEqual(
      (await emailsOf(pool())).map(({ customer_id }) => customer_id),
      [own.id],
    );
  });

  it('go by the day of each customer, in New York and in Auckland', async () => {
    await useSteps(pool(), [0]);
    const zones = ['America/New_York', 'Pacific/Auckland'];
    for (const timezone of zones) {
      const payer = await aPayer(pool(), { timezone });
      await anOwedInvoice(pool(), payer, await dayFromNow(pool(), 1, timezone));
      await anOwedInvoice(pool(), payer, await dayFromNow(pool(), 0, timezone));
    }
    await sweep(pool());
    const emails = await emailsOf(pool());
    assert.deepEqual(
      emails.map(({ invoice_ids }) => invoice_ids.length),
      [1, 1],
    );
    const today = await Promise.all(zones.map((timezone) => dayFromNow(pool(), 0, timezone)));
    assert.deepEqual((await daysOf()).sort(), today.sort());
  });

  it('wait while an earlier one has not left, so that two never leave on one day', async () => {
    await useSteps(pool(), [1, 2]);
    const payer = await aPayer(pool());
    await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -1));
    await sweep(pool());
    server().onMessage(async () => ({ code: 451, text: 'later' }));
    await send(emailerOf(pool(), server()));
    // A day later: the server took nothing yet.
    await pool().query(`update invoices set due_date = due_date - 1`);
    await pool().query(`update emails set reason = $1`, [
      `reminder.${payer.id}.${await dayFromNow(pool(), -1)}`,
    ]);
    await sweep(pool());
    assert.equal((await emailsOf(pool())).length, 1);
    server().onMessage(async () => null);
    await makeDue(pool());
    await send(emailerOf(pool(), server()));
    assert.equal((await emailsOf(pool()))[0]!.status, 'sent');
    await sweep(pool());
    assert.equal((await emailsOf(pool())).length, 1, 'one has left today');
    await pool().query(`update emails set sent_at = sent_at - interval '1 day'`);
    await sweep(pool());
    assert.equal((await emailsOf(pool())).length, 2);
  });

  it('of the others are written if one of a customer fails', async () => {
    await useSteps(pool(), [1]);
    const [broken, sound] = [await aPayer(pool()), await aPayer(pool())];
    for (const payer of [broken, sound]) await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -1));
    await pool().query(`alter table emails add constraint broken check (customer_id <> '${broken.id}')`);
    const failed: string[] = [];
    const { signal } = new AbortController();
    await remindAll({ pool: pool(), signal, report: ({ customer_id }) => failed.push(customer_id) });
    assert.deepEqual(failed, [broken.id]);
    assert.deepEqual(
      (await emailsOf(pool())).map(({ customer_id }) => customer_id),
      [sound.id],
    );
  });

  it('of the others are written and sent although the database does not know the time zone of one', async () => {
    await useSteps(pool(), [1]);
    const [elsewhere, sound] = [await aPayer(pool()), await aPayer(pool())];
    for (const payer of [elsewhere, sound]) await anOwedInvoice(pool(), payer, await dayFromNow(pool(), -1));
    await pool().query(`update customers set timezone = 'Mars/Olympus_Mons' where id = $1`, [elsewhere.id]);
    await remindAll({ pool: pool(), signal: new AbortController().signal, report: () => undefined });
    await send(emailerOf(pool(), server()));
    assert.deepEqual(
      (await emailsOf(pool())).map(({ customer_id, status }) => [customer_id, status]),
      [[sound.id, 'sent']],
    );
  });
});
