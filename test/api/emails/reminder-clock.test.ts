import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { at, FLAT, later, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { useStack } from '../../support/servers/stack.ts';

const HOUR_MS = 3_600_000;

describe('reminders under a test clock', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, read, subscribe } = testCustomersOn(request);
  before(() =>
    request('/v1/account', {
      method: 'PATCH',
      body: { reminder_days: [-3, 1, 7, 14], email_test_recipients: ['*@acme.com'] },
    }),
  );

  const emailsOf = async (customer_id: string, kind: string): Promise<Json[]> =>
    (await read(`/v1/emails?customer_id=${customer_id}&kind=${kind}`)).data.reverse();
  const datesOf = (emails: Json[]) => emails.map(({ send_at }) => send_at);
  const eights = (...days: string[]) => days.map((day) => at(`${day}T08:00`));
  /** A customer with an invoice of 49.00 that is issued on 1 February. */
  const aPayer = async (parts: object = {}): Promise<string> => {
    const id = await customer({ email: 'ada@acme.com', ...parts });
    const flat = await plan([FLAT], { interval_count: 1 });
    const { id: subscription } = await subscribe(id, flat);
    await done(`/v1/subscriptions/${subscription}/cancel`, { at: at('02-01') });
    return id;
  };

  it('are those of each day on the way of an advance, before its response', async () => {
    const id = await aPayer({ net_days: 37 });
    const [invoice] = await advance(id, at('03-01'));
    assert.equal(invoice.due_date, at('03-10').slice(0, 10));
    assert.deepEqual(await emailsOf(id, 'reminder'), []);
    await advance(id, at('04-01'));
    const reminders = await emailsOf(id, 'reminder');
    assert.deepEqual(datesOf(reminders), eights('03-07', '03-11', '03-17', '03-24'));
    for (const { object_id, invoice_ids, customer_id } of reminders)
      assert.deepEqual([object_id.slice(0, 4), invoice_ids, customer_id], ['cus_', [invoice.id], id]);
  });

  it('are none of what is paid on the way, and wait for their hour by the clock', async () => {
    const id = await aPayer({ net_days: 37 });
    await advance(id, at('03-11'));
    const [first, second, ...more] = await emailsOf(id, 'reminder');
    assert.deepEqual(more, []);
    assert.equal(first.send_at, at('03-07T08:00'));
    assert.deepEqual([second.status, second.next_attempt_at], ['queued', null]);
    assert.match(second.subject, /^Payment reminder from /);
    const { data } = await read(`/v1/invoices?customer_id=${id}`);
    await advance(id, at('03-11T07:59'));
    await done(`/v1/invoices/${data[0].id}/pay`);
    await advance(id, at('04-01'));
    const ends = await eventually(
      () => emailsOf(id, 'reminder'),
      (emails) => emails.every(({ status }) => status !== 'queued'),
    );
    // The first one had its turn too late: by then the invoice was paid, or there was no server.
    assert.deepEqual([ends.length, ends[1].status, ends[1].status_reason], [2, 'canceled', 'paid']);
  });

  it('issued and due on the 1st, step 1 goes on the 3rd', async () => {
    const id = await aPayer();
    await advance(id, at('02-28'));
    assert.deepEqual(datesOf(await emailsOf(id, 'reminder')), eights('02-03', '02-08', '02-15'));
  });

  it('and all other emails have the hours of the clock', async () => {
    const id = await aPayer({ timezone: 'America/New_York' });
    await advance(id, at('02-02'));
    const [invoice] = await eventually(
      () => emailsOf(id, 'invoice'),
      (emails) => emails.length === 1,
    );
    // 1 February begins at 5:00 in UTC, and emails leave from 13:00 on.
    const { data } = await read(`/v1/invoices?customer_id=${id}`);
    const hour = Number(data[0].issued_at.slice(11, 13));
    const issued_day = data[0].issued_at.slice(0, 10);
    assert.equal(invoice.send_at, hour < 13 ? `${issued_day}T13:00:00.000Z` : data[0].issued_at);
    const receipt = await done(`/v1/invoices/${data[0].id}/pay`);
    assert.equal(receipt.status, 'paid');
    const [paid] = await eventually(
      () => emailsOf(id, 'receipt'),
      (emails) => emails.length === 1,
    );
    assert.equal(paid.send_at, at('02-02T13:00'));
  });

  it('of days of its own, and of none', async () => {
    const own = await aPayer({ reminder_days: [10] });
    const none = await aPayer({ reminder_days: [] });
    for (const id of [own, none]) await advance(id, later(at('02-20'), HOUR_MS));
    assert.deepEqual(datesOf(await emailsOf(own, 'reminder')), eights('02-11'));
    assert.deepEqual(await emailsOf(none, 'reminder'), []);
  });

  it('are sent again by a person, for what is due still, and not once it is paid', async () => {
    const id = await aPayer();
    await advance(id, at('02-10'));
    const [first] = await emailsOf(id, 'reminder');
    const resend = async () => request(`/v1/emails/${first.id}/resend`, { method: 'POST', body: {} });
    await eventually(
      () => emailsOf(id, 'reminder'),
      ([email]) => email.status !== 'queued',
    );
    const again = await resend();
    assert.deepEqual([again.status, again.body.kind, again.body.resend_of], [201, 'reminder', first.id]);
    assert.deepEqual(again.body.invoice_ids, first.invoice_ids);
    await done(`/v1/invoices/${first.invoice_ids[0]}/pay`);
    assert.equal((await resend()).status, 409);
  });
});
