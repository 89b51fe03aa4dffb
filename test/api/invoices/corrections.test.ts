import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, Received } from '../../support/servers/api.ts';
import { at, testCustomersOn, PER_UNIT, requestsTo, times } from '../../support/ledger/test-customer.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';

const INVOICES = '/v1/invoices';
type State = 'draft' | 'open' | 'paid' | 'zero' | 'void';
const STATES: readonly State[] = ['draft', 'open', 'paid', 'zero', 'void'];

describe('corrections of invoices', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, get, grant, plan, post, read, subscribe, use } = lives;

  /** January's invoice of a new customer, in this state; `zero`: no usage, total 0.00, therefore paid. */
  async function invoiceThatIs(state: State): Promise<Json> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    if (state !== 'zero') await use(customer_id, times(3, {}));
    const [made] = await advance(customer_id, at('02-01'), { hold_drafts: state === 'draft' });
    if (state === 'paid') await done(`${INVOICES}/${made.id}/pay`);
    if (state === 'void') await done(`${INVOICES}/${made.id}/void`);
    return read(`${INVOICES}/${made.id}`);
  }

  const invoicesOf = async ({ subscription_id }: Json): Promise<Json[]> =>
    (await read(`${INVOICES}?subscription_id=${subscription_id}`)).data;
  const statesOf = async (invoice: Json) => (await invoicesOf(invoice)).map(({ status }) => status).sort();

  for (const state of STATES) {
    const may = state !== 'paid' && state !== 'void';
    it(`void: an invoice that is ${state} ${may ? 'becomes void' : 'does not change'}`, async () => {
      const invoice = await invoiceThatIs(state);
      const answer = await post(`${INVOICES}/${invoice.id}/void`, { reason: 'a mistake' });
      if (!may) return assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
      const { number, total } = invoice;
      const { status, payment_status, void_reason, voided_at, amount_due } = answer.body;
      assert.deepEqual(
        [answer.status, status, payment_status, void_reason],
        [200, 'void', 'void', 'a mistake'],
      );
      assert.deepEqual([answer.body.number, answer.body.total, amount_due], [number, total, '0.00']);
      assert.equal(voided_at, at('02-01'));
    });

    it(`regenerate: an invoice that is ${state} ${may ? 'is replaced by one with its status' : 'does not change'}`, async () => {
      const invoice = await invoiceThatIs(state);
      await use(invoice.customer_id, times(2, { timestamp: at('01-10') }));
      const answer = await post(`${INVOICES}/${invoice.id}/regenerate`, { reason: 'two came late' });
      if (!may) return assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
      assert.equal(answer.status, 201);
      const made = answer.body;
      assert.equal(answer.headers.get('location'), `${INVOICES}/${made.id}`);
      assert.deepEqual([made.replaces, made.status], [invoice.id, state === 'draft' ? 'draft' : 'open']);
      assert.equal(made.total, state === 'zero' ? '2.00' : '5.00');
      assert.equal(made.number === null, state === 'draft');
      const old = await read(`${INVOICES}/${invoice.id}`);
      assert.deepEqual([old.status, old.replaced_by, old.void_reason], ['void', made.id, 'two came late']);
    });

    it(`generate: leaves an invoice that is ${state} ${state === 'void' ? 'void, and bills its period again' : 'unchanged'}`, async () => {
      const invoice = await invoiceThatIs(state);
      const answer = await post(`${INVOICES}/generate`, { subscription_id: invoice.subscription_id });
      assert.equal(answer.status, state === 'void' ? 201 : 200);
      assert.deepEqual(
        answer.body.data.map((made: Json) => [made.status, made.total, made.period_start]),
        state === 'void' ? [['open', '3.00', at('01-01')]] : [],
      );
      assert.deepEqual([answer.body.object, answer.body.has_more], ['list', false]);
    });
  }

  it('a regenerated draft keeps its hold, and is issued with all events stored by then', async () => {
    const draft = await invoiceThatIs('draft');
    const made = await done(`${INVOICES}/${draft.id}/regenerate`);
    await use(draft.customer_id, times(1, { timestamp: at('01-10') }));
    assert.equal((await read(`${INVOICES}/${made.id}`)).status, 'draft');
    const [issued] = (await advance(draft.customer_id, at('03-01'))).filter(({ id }) => id === made.id);
    const after = issued ?? (await read(`${INVOICES}/${made.id}`));
    assert.deepEqual([after.status, after.total], ['open', '4.00']);
  });

  it('the replacement has the new tax rate and the new name of the customer', async () => {
    const invoice = await invoiceThatIs('open');
    const { api_url, test_key } = stack();
    await fetch(`${api_url}/v1/customers/${invoice.customer_id}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${test_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tax_rate: '10' }),
    });
    const made = await done(`${INVOICES}/${invoice.id}/regenerate`);
    assert.deepEqual([made.tax.rate, made.tax.amount, made.total], ['10', '0.30', '3.30']);
  });

  it('dry_run lists changed fields before and after, and later events; and writes nothing', async () => {
    const invoice = await invoiceThatIs('open');
    await use(invoice.customer_id, times(2, { timestamp: at('01-10') }));
    const before = await everything();
    const answer = await post(`${INVOICES}/${invoice.id}/regenerate`, { dry_run: true });
    assert.deepEqual(await everything(), before);
    assert.equal(answer.status, 200);
    const { current, proposed, changes, events_added } = answer.body;
    assert.deepEqual(current, invoice);
    assert.deepEqual([proposed.total, proposed.replaces, proposed.number], ['5.00', invoice.id, null]);
    const [line] = invoice.line_items;
    const { type, charge_id, event_name, period_start, period_end } = line;
    const series = { price_index: null, group: null, others: false };
    const line_item = {
      type,
      charge_id,
      ...series,
      invoice_item: null,
      discounts: [],
      event_name,
      period_start,
      period_end,
    };
    assert.deepEqual(changes, [
      { line_item, field: 'quantity', before: '3', after: '5' },
      { line_item, field: 'billable_quantity', before: '3', after: '5' },
      { line_item, field: 'amount', before: '3.00', after: '5.00' },
      { line_item: null, field: 'subtotal', before: '3.00', after: '5.00' },
      { line_item: null, field: 'total', before: '3.00', after: '5.00' },
    ]);
    const { data } = await read(
      `/v1/events?customer_id=${invoice.customer_id}&from=${at('01-10').slice(0, 10)}`,
    );
    const event_ids = data.map(({ id }: Json) => id);
    assert.deepEqual(events_added, [{ charge_id, ...series, period_start, count: 2, event_ids }]);
    const made = await done(`${INVOICES}/${invoice.id}/regenerate`);
    assert.deepEqual([made.line_items[0].quantity, made.total], [proposed.line_items[0].quantity, '5.00']);
    assertRefused(await post(`${INVOICES}/${invoice.id}/regenerate`, { dry_run: true }), {
      code: 'conflict',
      reason: 'invalid_state',
    });
  });

  async function everything(): Promise<Json[]> {
    const tables = [
      'invoices',
      'line_items',
      'line_item_spans',
      'cut_offs',
      'credit_ledger',
      'credit_draws',
      'regenerations',
      'environments',
    ];
    // A worker may note meanwhile that another invoice is overdue.
    const row = `(to_jsonb(t) - 'overdue_at')::text`;
    const counts = tables.map(
      (table) => `select '${table}' as name, md5(string_agg(${row}, ',' order by ${row})) from ${table} t`,
    );
    return (await stack().pool.query(counts.join(' union all '))).rows;
  }

  it('ten equal requests to regenerate at once: one replaces the invoice, nine get the error that it is void', async () => {
    const invoice = await invoiceThatIs('open');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(`${INVOICES}/${invoice.id}/regenerate`)),
    );
    const lost = answers.filter(({ status }) => status !== 201);
    assert.equal(lost.length, 9);
    for (const answer of lost) {
      assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
      assert.match(answer.body.error.message, /is void/);
    }
    assert.deepEqual(await statesOf(invoice), ['open', 'void']);
  });

  it('ten voids and ten payments at once: one succeeds, the others get the status of the invoice', async () => {
    const invoice = await invoiceThatIs('open');
    const ways = Array.from({ length: 20 }, (_, place) => (place % 2 === 0 ? 'void' : 'pay'));
    const answers = await Promise.all(ways.map((way) => post(`${INVOICES}/${invoice.id}/${way}`)));
    const won = answers.filter(({ status }) => status === 200);
    assert.equal(won.length, 1);
    const { status } = await read(`${INVOICES}/${invoice.id}`);
    assert.equal(won[0]!.body.status, status);
    for (const answer of answers.filter((one) => one.status !== 200))
      assert.match(answer.body.error.message, new RegExp(`is ${status}`));
  });

  it('generate during the close of the same period: one invoice', async () => {
    const rounds = Array.from({ length: 5 }, async () => {
      const customer_id = await customer();
      const { id: subscription_id } = await subscribe(customer_id, await plan([PER_UNIT]));
      await use(customer_id, times(3, {}));
      const generating = Array.from({ length: 20 }, async (_, place): Promise<Received> => {
        await pause(place * 10);
        for (;;) {
          const answer = await post(`${INVOICES}/generate`, { subscription_id });
          // As a client does: of 100 requests at once a busy machine refuses some.
          if (answer.status !== 429) return answer;
        }
      });
      await advance(customer_id, at('02-01'));
      for (const answer of await Promise.all(generating))
        assert.ok(answer.status < 300, JSON.stringify(answer.body));
      const all = await invoicesOf({ subscription_id });
      assert.deepEqual(
        all.map(({ status, total }) => `${status} ${total}`),
        ['open 3.00'],
      );
    });
    await Promise.all(rounds);
  });

  it('the same Idempotency-Key gives the same replacement', async () => {
    const invoice = await invoiceThatIs('open');
    const headers = { 'Idempotency-Key': `again-${invoice.id}` };
    const [first, second] = [
      await post(`${INVOICES}/${invoice.id}/regenerate`, {}, { headers }),
      await post(`${INVOICES}/${invoice.id}/regenerate`, {}, { headers }),
    ];
    assert.equal(second.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual([first.status, second.body], [201, first.body]);
    assert.deepEqual(await statesOf(invoice), ['open', 'void']);
  });

  it('the same Idempotency-Key after a 202 gives the replacement once it is there', async function () {
    const invoice = await invoiceThatIs('open');
    const headers = { 'Idempotency-Key': `later-${invoice.id}` };
    const regenerate = () => post(`${INVOICES}/${invoice.id}/regenerate`, {}, { headers });
    const holder = await stack().pool.connect();
    await holder.query('begin');
    await holder.query(
      `select from customers c join invoices i on i.customer_id = c.id and i.id = $1 for no key update of c`,
      [invoice.id],
    );
    const first = await regenerate();
    await holder.query('rollback');
    holder.release();
    assert.deepEqual([first.status, first.body.status], [202, 'pending']);
    const served = await eventually(regenerate, ({ status }) => status === 201);
    assert.equal(served.body.replaces, invoice.id);
    assert.deepEqual((await read(first.headers.get('location')!)).new_invoice_id, served.body.id);
    assert.deepEqual(await statesOf(invoice), ['open', 'void']);
    const again = await regenerate();
    assert.deepEqual([again.headers.get('idempotent-replayed'), again.body], ['true', served.body]);
  });

  it('a void returns credit to its grant, where generate draws it again', async () => {
    const customer_id = await customer();
    const { id: subscription_id } = await subscribe(customer_id, await plan([PER_UNIT]));
    const granted = await grant(customer_id, 10, { rollover: true });
    await use(customer_id, times(4, {}));
    const [invoice] = await advance(customer_id, at('02-01'));
    await done(`${INVOICES}/${invoice.id}/void`);
    const { remaining, ledger } = await read(`/v1/credit-grants/${granted.id}`);
    assert.equal(remaining, 10);
    assert.deepEqual(
      ledger.map(({ type, amount, invoice_id }: Json) => [type, amount, invoice_id]),
      [
        ['granted', 10, null],
        ['drawn', -4, invoice.id],
        ['returned', 4, invoice.id],
      ],
    );
    const { data } = await done(`${INVOICES}/generate`, { subscription_id });
    assert.deepEqual([data[0].credits_applied, data[0].total], ['4', '0.00']);
  });

  it('every request for an unknown invoice or subscription: 404', async () => {
    for (const path of [
      `${INVOICES}/inv_x/void`,
      `${INVOICES}/inv_x/regenerate`,
      '/v1/subscriptions/sub_x/cancel',
    ])
      assertRefused(await post(path), { code: 'not_found' });
    assertRefused(await get('/v1/regenerations/reg_x'), { code: 'not_found' });
    assertRefused(await get('/v1/subscriptions/sub_x/upcoming-invoice'), { code: 'not_found' });
    const answer = await post(`${INVOICES}/generate`, { subscription_id: 'sub_x' });
    assertRefused(answer, { code: 'not_found', param: 'subscription_id', reason: 'unknown_subscription' });
  });
});
