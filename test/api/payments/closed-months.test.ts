import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { csvFrom } from '../../support/documents/csv.ts';
import { fee, feeLivesOn } from '../../support/ledger/fee-lives.ts';
import { keptOf } from '../../support/ledger/journal-hash.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, FLAT, PER_UNIT, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const monthOf = (day: string) => at(day).slice(0, 7);
const FEBRUARY = monthOf('02-01');

/** contract.md 4, billing.md 7. */
describe('closed months', function () {
  const stack = useStack();
  const request = requestsTo(stack);
  const customers = testCustomersOn(request);
  const { get, post, done, read, customer, plan, subscribe, use, advance } = customers;
  const { untilOpened } = feeLivesOn(customers);

  const close = (month = FEBRUARY): Promise<Json> => done('/v1/closed-months', { month });
  const open = (month = FEBRUARY): Promise<Json> =>
    done(`/v1/closed-months/${month}/open`, { reason: 'A wrong price' });
  afterEach(async () => {
    for (const { month } of (await read('/v1/closed-months')).data) await open(month);
  });

  /** A customer with a fee and units, whose invoice of January is of 1 February; it is 2 March. */
  async function billed(parts: object = {}): Promise<{ customer_id: string; invoice: Json }> {
    const customer_id = await customer({ tax_rate: '20', ...parts });
    await subscribe(customer_id, await plan([FLAT, PER_UNIT]));
    const [invoice] = await advance(customer_id, at('02-01'));
    await advance(customer_id, at('03-02'));
    return { customer_id, invoice: invoice! };
  }

  /** The number of entries and the hash of the journal of a month. */
  async function journalOf(month: string): Promise<{ entries: number; journal_sha256: string }> {
    const { rows } = await csvFrom(`${stack().api_url}/v1/journal.csv?month=${month}`, stack().test_key);
    return keptOf(rows);
  }

  it('keep the trial balance and the hash of the journal', async () => {
    const { invoice } = await billed();
    const answer = await post('/v1/closed-months', { month: FEBRUARY });
    assert.deepEqual([answer.status, answer.headers.get('location')], [201, `/v1/closed-months/${FEBRUARY}`]);
    const { from, to, data } = await read(`/v1/journal/summary?month=${FEBRUARY}`);
    const { entries, journal_sha256 } = await journalOf(FEBRUARY);
    const { closed_at, closed_by, ...closed } = answer.body;
    assert.match(closed_by, /^key_/);
    assert.ok(closed_at < at('01-01'), 'by real time');
    assert.deepEqual(closed, {
      ...{ object: 'closed_month', month: FEBRUARY, livemode: false, from, to },
      ...{ entries, journal_sha256, data },
    });
    const revenue = data.find(({ account }: Json) => account === 'revenue');
    assert.equal(revenue.credit, invoice.subtotal);
    assert.deepEqual(await read(`/v1/closed-months/${FEBRUARY}`), answer.body);
    assert.deepEqual(await read('/v1/closed-months'), {
      ...{ object: 'list', data: [answer.body], has_more: false, next_cursor: null },
    });
  });

  it('are listed by month, page by page, and only those of an invoice or a credit note', async () => {
    const { invoice } = await billed();
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '5' }];
    const note = await done(`/v1/invoices/${invoice.id}/credit-notes`, { lines, reason: 'Outage' });
    const months = ['03-01', '01-01', '02-01'].map(monthOf);
    for (const month of months) await close(month);
    const page = await read('/v1/closed-months?limit=2');
    const rest = await read(`/v1/closed-months?limit=2&cursor=${page.next_cursor}`);
    assert.deepEqual(
      [...page.data, ...rest.data].map(({ month }: Json) => month),
      months.toSorted().toReversed(),
    );
    const monthsOf = async (id: string) =>
      (await read(`/v1/closed-months?object_id=${id}`)).data.map(({ month }: Json) => month);
    assert.deepEqual(await monthsOf(invoice.id), [FEBRUARY]);
    assert.deepEqual(await monthsOf(note.id), [monthOf('03-01')]);
    assert.deepEqual(await monthsOf('inv_none'), []);
    assert.deepEqual((await get('/v1/closed-months', { key: stack().live_key })).body.data, []);
  });

  it('refuse a month that is closed, that is none, or that is not closed', async () => {
    await close();
    const path = '/v1/closed-months';
    assertRefused(await post(path, { month: FEBRUARY }), {
      ...{ code: 'conflict', param: 'month', reason: 'invalid_state' },
    });
    assertRefused(await post(path, { month: '2026-13' }), {
      ...{ code: 'invalid_request', param: 'month', reason: 'malformed' },
    });
    assertRefused(await post(path), { code: 'invalid_request', param: 'month', reason: 'missing' });
    for (const month of ['2026-01', 'x']) {
      assertRefused(await get(`${path}/${month}`), { code: 'not_found' });
      assertRefused(await post(`${path}/${month}/open`, { reason: 'None' }), { code: 'not_found' });
    }
    assertRefused(await post(`${path}/${FEBRUARY}/open`), {
      ...{ code: 'invalid_request', param: 'reason', reason: 'missing' },
    });
    assertRefused(await get(`${path}/${FEBRUARY}`, { key: stack().live_key }), { code: 'not_found' });
    await open();
    assertRefused(await get(`${path}/${FEBRUARY}`), { code: 'not_found' });
  });

  it('of live data close from an hour after their end on', async () => {
    const live = (month: string) => post('/v1/closed-months', { month }, { key: stack().live_key });
    const this_month = new Date().toISOString().slice(0, 7);
    const refused = await live(this_month);
    assertRefused(refused, { code: 'invalid_request', param: 'month', reason: 'out_of_range' });
    const answer = await live('2026-01');
    assert.deepEqual([answer.status, answer.body.entries, answer.body.data], [201, 0, []]);
    assert.equal(answer.body.journal_sha256, keptOf([]).journal_sha256);
  });

  it('refuse void, regeneration and its dry run of their invoices, also of a paid one, but not of others', async () => {
    const { invoice, customer_id } = await billed();
    const { closed_at } = await close();
    const path = `/v1/invoices/${invoice.id}`;
    const refusals = [
      await post(`${path}/void`),
      await post(`${path}/regenerate`),
      await post(`${path}/regenerate`, { dry_run: true }),
    ];
    await done(`${path}/payments`, { amount: '1', paid_at: at('02-03') });
    refusals.push(await post(`${path}/void`), await post(`${path}/regenerate`));
    for (const refused of refusals) {
      assertRefused(refused, { code: 'conflict', param: null, reason: 'month_closed' });
      assert.equal(
        refused.body.error.message,
        `invoice ${invoice.id} was issued in ${FEBRUARY}, which was closed at ${closed_at}: write a credit note instead`,
      );
    }
    const [march] = (await read(`/v1/invoices?customer_id=${customer_id}&status=open`)).data;
    assert.equal(march.issued_at.slice(0, 7), monthOf('03-01'));
    assert.equal((await done(`/v1/invoices/${march.id}/void`)).status, 'void');
  });

  it('refuse the void of their credit notes', async () => {
    const { customer_id, invoice } = await billed();
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '5' }];
    const path = `/v1/invoices/${invoice.id}/credit-notes`;
    const note = await done(path, { lines, reason: 'Outage' });
    await close(monthOf('03-01'));
    const refused = await post(`/v1/credit-notes/${note.id}/void`);
    assertRefused(refused, { code: 'conflict', param: null, reason: 'month_closed' });
    assert.match(
      refused.body.error.message,
      /^credit note cn_\w+ was issued in .*: post an invoice item instead$/,
    );
    await advance(customer_id, at('04-02'));
    const later = await done(path, { lines, reason: 'Outage' });
    assert.equal((await done(`/v1/credit-notes/${later.id}/void`)).status, 'void');
    await open(monthOf('03-01'));
    assert.equal((await done(`/v1/credit-notes/${note.id}/void`)).status, 'void');
  });

  it('refuse the void of an invoice of another month, whose automatic note was issued in them', async () => {
    const customer_id = await customer();
    const { id } = await subscribe(customer_id, await plan([fee('365')], { interval: 'year' }));
    const [january] = (await untilOpened(customer_id)) as [Json];
    await advance(customer_id, at('02-10'));
    await done(`/v1/subscriptions/${id}/cancel`, { at: 'now' });
    await advance(customer_id, at('02-11'));
    const [note] = (await read(`/v1/credit-notes?customer_id=${customer_id}`)).data;
    assert.deepEqual([note.automatic, note.invoice_id], [true, january.id]);
    await close();
    for (const act of ['void', 'regenerate']) {
      const refused = await post(`/v1/invoices/${january.id}/${act}`);
      assertRefused(refused, { code: 'conflict', param: null, reason: 'month_closed' });
      const named = `credit note ${note.id}, void with invoice ${january.id}, was issued in ${FEBRUARY}`;
      assert.ok(refused.body.error.message.startsWith(named), refused.body.error.message);
    }
    const { data } = await read(`/v1/closed-months?object_id=${january.id}`);
    assert.deepEqual(
      data.map(({ month }: Json) => month),
      [FEBRUARY],
    );
    await open();
    assert.equal((await done(`/v1/invoices/${january.id}/void`)).status, 'void');
  });

  it('let through what is booked on its own day, and their hash stays', async () => {
    const { customer_id, invoice } = await billed();
    const other = await billed();
    await done(`/v1/invoices/${other.invoice.id}/void`);
    const before = await close();
    const path = `/v1/invoices/${invoice.id}`;
    const payment = await done(`${path}/payments`, { amount: '10', paid_at: at('02-15') });
    await done(`${path}/payments/${payment.id}/reverse`, { reason: 'Bounced' });
    const lines = [{ line_item_id: invoice.line_items[0].id, amount: '5' }];
    await done(`${path}/credit-notes`, { lines, reason: 'Outage' });
    await use(customer_id, [{ timestamp: at('02-28T12:00') }]);
    const [april] = await advance(customer_id, at('04-01'));
    assert.deepEqual(
      april.line_items.filter(({ type }: Json) => type === 'late_usage').map(({ amount }: Json) => amount),
      ['1.00'],
    );
    const made = await done('/v1/invoices/generate', { subscription_id: other.invoice.subscription_id });
    assert.equal(made.data[0].issued_at.slice(0, 7), monthOf('03-01'));
    await done(`/v1/customers/${customer_id}/redact`);
    await open();
    const after = await close();
    assert.deepEqual(
      [after.entries, after.journal_sha256, after.data],
      [before.entries, before.journal_sha256, before.data],
    );
  });

  it('still get what a test clock books that is in them', async () => {
    const customer_id = await customer({}, at('02-10'));
    const before = await close();
    await done(`/v1/customers/${customer_id}/balance-adjustments`, { amount: '5', reason: 'Goodwill' });
    const { journal_sha256, entries } = await journalOf(FEBRUARY);
    assert.equal(entries, before.entries + 1);
    assert.notEqual(journal_sha256, before.journal_sha256);
    assert.deepEqual(await read(`/v1/closed-months/${FEBRUARY}`), before);
  });

  it('are opened again with a reason, which the audit log has', async () => {
    const { invoice } = await billed();
    const closed = await close();
    assert.deepEqual(await open(), closed);
    assert.equal((await done(`/v1/invoices/${invoice.id}/void`)).status, 'void');
    await close();
    const { data } = await read(`/v1/audit-log?object_id=${FEBRUARY}&limit=3`);
    assert.deepEqual(
      data.map(({ action, object_id, reason }: Json) => [action, object_id, reason]),
      [
        ['month.closed', FEBRUARY, null],
        ['month.opened', FEBRUARY, 'A wrong price'],
        ['month.closed', FEBRUARY, null],
      ],
    );
    const { entries, journal_sha256, closed_at } = closed;
    assert.deepEqual(data[2].after, { entries: `${entries}`, journal_sha256, closed_at });
  });
});
