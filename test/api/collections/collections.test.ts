import assert from 'node:assert/strict';
import { assertRefused } from '../../support/ledger/refused.ts';
import { at, FLAT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';
import { eventually } from '../../support/servers/eventually.ts';
import type { Json } from '../../support/servers/api.ts';
import { useStack } from '../../support/servers/stack.ts';

const day = (text: string) => at(text).slice(0, 10);

/** contract.md 14. */
describe('the list of collections', function () {
  const stack = useStack();
  const { advance, customer, done, get, plan, read, subscribe } = testCustomersOn(requestsTo(stack));

  /** A customer with invoices of 49.00 that were due on the first of February, of March and, not over yet, of April. */
  async function aDebtor(parts: object = {}): Promise<{ id: string; invoices: Json[] }> {
    const id = await customer({ name: 'Acme Ltd', email: 'ada@acme.com', ...parts });
    await subscribe(id, await plan([FLAT]));
    return { id, invoices: await advance(id, at('04-01T12:00')) };
  }
  const list = async (id: string, filters = ''): Promise<Json[]> =>
    (await read(`/v1/collections?customer_id=${id}${filters}`)).data;
  const idsOf = (cases: Json[]): string[] => cases.map(({ invoice_id }) => invoice_id);

  it('has what is overdue, the earliest due date first, with what is due and since when', async () => {
    const { id, invoices } = await aDebtor();
    const [january, february] = invoices as [Json, Json];
    await done(`/v1/invoices/${january.id}/payments`, { amount: '9.00' });
    const [first, second, ...more] = await list(id);
    assert.deepEqual(first, {
      object: 'collection_case',
      livemode: false,
      invoice_id: january.id,
      number: january.number,
      customer_id: id,
      customer_name: 'Acme Ltd',
      currency: 'USD',
      total: '49.00',
      amount_due: '40.00',
      due_date: day('02-01'),
      overdue: true,
      days_overdue: 59,
      invoice_pause: null,
      customer_pause: null,
      last_reminder: null,
    });
    assert.deepEqual([second!.invoice_id, second!.days_overdue], [february.id, 31]);
    assert.deepEqual(more, []);
    await done(`/v1/invoices/${january.id}/pay`);
    assert.deepEqual(idsOf(await list(id)), [february.id]);
  });

  it('has what is paused too, by the invoice or by its customer, and each by a filter', async () => {
    const { id, invoices } = await aDebtor();
    const [january, february, march] = invoices.map((invoice) => invoice.id);
    const until = { reason: 'promised', until: day('04-20'), note: 'Ada called' };
    const { collection_pause } = await done(`/v1/invoices/${march}/pause-collection`, until);
    const cases = await list(id);
    assert.deepEqual(idsOf(cases), [january, february, march]);
    assert.deepEqual([cases[2]!.invoice_pause, cases[2]!.overdue], [collection_pause, false]);
    assert.deepEqual(idsOf(await list(id, '&paused=true')), [march]);
    assert.deepEqual(idsOf(await list(id, '&paused=false')), [january, february]);
    assert.deepEqual(idsOf(await list(id, '&overdue=false')), [march]);
    assert.deepEqual(idsOf(await list(id, '&overdue=true&paused=true')), []);
    assert.deepEqual(idsOf(await list(id, '&currency=EUR')), []);
    await done(`/v1/customers/${id}/pause-collection`, { reason: 'other' });
    const paused = await list(id, '&paused=true');
    assert.deepEqual(idsOf(paused), [january, february, march]);
    assert.equal(paused[0]!.customer_pause.reason, 'other');
    await done(`/v1/customers/${id}/resume-collection`);
    await advance(id, at('04-21'));
    assert.deepEqual(idsOf(await list(id, '&paused=true')), []);
  });

  it('has the last reminder that names the invoice', async () => {
    const { id, invoices } = await aDebtor();
    const [january, february] = invoices as [Json, Json];
    const { id: cus_id } = await read(`/v1/customers/${id}`);
    const insert = (email_id: string, invoice_ids: string[]) =>
      stack().pool.query(
        `insert into emails (environment_id, id, reason, kind, customer_id, object_id, invoice_ids, language, status,
           status_reason, send_at)
         select environment_id, $1, $1, 'reminder', id, id, $2, 'en', 'kept', 'muted', '2026-02-08T08:00:00Z'
         from customers where id = $3`,
        [email_id, invoice_ids, cus_id],
      );
    await insert('eml_1', [january.id, february.id]);
    await insert('eml_2', [january.id]);
    const [first, second] = await list(id);
    const reminder = { status: 'kept', send_at: '2026-02-08T08:00:00.000Z', sent_at: null };
    assert.deepEqual(first!.last_reminder, { email_id: 'eml_2', ...reminder });
    assert.deepEqual(second!.last_reminder, { email_id: 'eml_1', ...reminder });
    await stack().pool.query(`delete from emails where id in ('eml_1', 'eml_2')`);
  });

  it('and the feed of changes have pauses, and after an erasure no note', async () => {
    const { id, invoices } = await aDebtor();
    const noted = { reason: 'other', note: 'Ada moved' };
    for (const path of [`/v1/invoices/${invoices[0]!.id}`, `/v1/customers/${id}`])
      await done(`${path}/pause-collection`, noted);
    const changes = async (): Promise<string[]> => {
      const { rows } = await stack().pool.query<{ type: string }>(
        `select type from feed where data -> 'collection_pause' ->> 'note' = 'Ada moved' order by type`,
      );
      return rows.map(({ type }) => type);
    };
    // Earlier changes that are numbered by then have it too.
    await eventually(changes, (types) =>
      ['customer.updated', 'invoice.updated'].every((type) => types.includes(type)),
    );
    await done(`/v1/customers/${id}/redact`);
    assert.deepEqual(await changes(), []);
    const [first] = await list(id);
    assert.deepEqual([first!.invoice_pause.note, first!.customer_pause.note], [null, null]);
  });

  it('comes in pages', async () => {
    const { id } = await aDebtor();
    const path = `/v1/collections?customer_id=${id}&limit=1`;
    const first = await read(path);
    assert.equal(first.has_more, true);
    const second = await read(`${path}&cursor=${encodeURIComponent(first.next_cursor)}`);
    assert.deepEqual([second.has_more, second.next_cursor], [false, null]);
    assert.deepEqual(idsOf([...first.data, ...second.data]), idsOf(await list(id)));
  });

  it('has test or live data alone, and refuses a filter that it does not know', async () => {
    const { id } = await aDebtor();
    const live = await get(`/v1/collections?customer_id=${id}`, { key: stack().live_key });
    assert.deepEqual(live.body.data, []);
    for (const filter of ['paused=yes', 'overdue=1'])
      assertRefused(await get(`/v1/collections?${filter}`), {
        code: 'invalid_request',
        param: filter.split('=')[0]!,
        reason: 'not_allowed',
      });
  });
});
