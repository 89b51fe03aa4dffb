import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { at, FLAT, later, PER_UNIT, requestsTo } from '../../support/ledger/test-customer.ts';
import { testCustomersOn, times } from '../../support/ledger/test-customer.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';

const PATH = '/v1/invoices';
const NOT_COLLECTED = { status: 'none', attempts: 0, next_attempt_at: null, workflow_id: null };

describe("an invoice's life", () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, get, grant, plan, post, read, subscribe, use } = lives;

  /** January's invoice of a new customer, in this state; `zero`: no usage, total 0.00. */
  async function invoiceThatIs(status: 'draft' | 'open' | 'paid' | 'zero' | 'void'): Promise<Json> {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    if (status !== 'zero') await use(customer_id, times(3, {}));
    const [made] = await advance(customer_id, at('02-01'), { hold_drafts: status === 'draft' });
    if (status === 'paid') await done(`${PATH}/${made.id}/pay`);
    if (status === 'void')
      await stack().pool.query(`update invoices set status = 'void', voided_at = issued_at where id = $1`, [
        made.id,
      ]);
    return read(`${PATH}/${made.id}`);
  }

  it('has every field, and so have its lines', async () => {
    const customer_id = await customer({ tax_rate: '20', name: 'Acme' });
    const plan_id = await plan([FLAT, { ...PER_UNIT, name: 'API calls' }]);
    const subscription = await subscribe(customer_id, plan_id);
    await grant(customer_id, 2, { rollover: true });
    await use(customer_id, times(5, {}));
    const [invoice] = await advance(customer_id, at('02-01'));
    const { id, number, line_items, ...rest } = invoice;
    assert.match(id, /^inv_[0-9a-z]{26}$/);
    assert.match(number, /^INV-\d{6}$/);
    assert.deepEqual(rest, {
      object: 'invoice',
      livemode: false,
      status: 'open',
      payment_status: 'unpaid',
      customer_id,
      subscription_id: subscription.id,
      plan_id,
      ...{ kind: 'period', opening_number: null, cause: null },
      currency: 'USD',
      timezone: 'UTC',
      period_start: at('01-01'),
      period_end: at('02-01'),
      subtotal: '52.00',
      tax: { rate: '20', amount: '10.40', treatment: 'standard', note: null },
      total: '62.40',
      amount_due: '62.40',
      amount_paid: '0.00',
      ...{ balance_applied: '0.00', balance_at_issue: '0.00', credited: '0.00' },
      credits_applied: '2',
      replaces: null,
      replaced_by: null,
      created_at: at('02-01'),
      issued_at: at('02-01'),
      sent_at: null,
      paid_at: null,
      voided_at: null,
      void_reason: null,
      payment_reference: null,
      payments: [],
      credit_notes: [],
      due_date: at('02-01').slice(0, 10),
      ...{ overdue: false, collection_pause: null, collection: NOT_COLLECTED },
      hide_zero_lines: false,
      seller: { name: 'Tidemark', address: null, tax_ids: [], footer: null },
      customer: {
        ...{ external_id: customer_id, name: 'Acme', email: null, address: null, tax_ids: [] },
        ...{ tax_treatment: 'standard', buyer_reference: null },
      },
      logo_sha256: null,
    });
    const { charges } = await read(`/v1/pricing-plans/${plan_id}`);
    const period = {
      ...{ period_start: at('01-01'), period_end: at('02-01') },
      ...{ discounts: [], amount_before: null, stretches: null, billed_before: null },
    };
    for (const line of line_items) assert.match(line.id, /^li_[0-9a-z]{26}$/);
    const days = `from 1 to 31 January ${at('01-01').slice(0, 4)}`;
    assert.deepEqual(line_items, [
      {
        id: line_items[0].id,
        type: 'flat',
        charge_id: charges[0].id,
        ...{ price_index: null, group: null, others: false },
        invoice_item: null,
        event_name: 'platform',
        description: `Fixed fee for platform, ${days}`,
        pricing_model: 'flat',
        aggregation: null,
        quantity: '1',
        skipped_events: 0,
        credits_applied: '0',
        billable_quantity: '1',
        tiers: null,
        amount: '49.00',
        ...period,
      },
      {
        id: line_items[1].id,
        type: 'usage',
        charge_id: charges[1].id,
        ...{ price_index: null, group: null, others: false },
        invoice_item: null,
        event_name: 'api_call',
        description: `API calls: 5 events, 2 of them covered by credit, ${days}`,
        pricing_model: 'per_unit',
        aggregation: { type: 'count' },
        quantity: '5',
        skipped_events: 0,
        credits_applied: '2',
        billable_quantity: '3',
        tiers: null,
        amount: '3.00',
        ...period,
      },
    ]);
    assert.deepEqual(await read(`${PATH}/${id}`), invoice);
    assert.deepEqual((await read(`${PATH}?customer_id=${customer_id}`)).data, [invoice]);
  });

  it('a draft shows lines and totals without a number; finalize counts again and opens it', async () => {
    const draft = await invoiceThatIs('draft');
    const { number, status, payment_status, issued_at, total, amount_due } = draft;
    assert.deepEqual([status, payment_status, number, issued_at], ['draft', 'unpaid', null, null]);
    assert.deepEqual([total, amount_due], ['3.00', '3.00']);
    await use(draft.customer_id, times(2, { timestamp: at('01-31') }));
    await advance(draft.customer_id, at('02-02'), { hold_drafts: true });
    assert.equal((await read(`${PATH}/${draft.id}`)).total, '3.00');
    const { status: answered, body } = await post(`${PATH}/${draft.id}/finalize`);
    assert.equal(answered, 200);
    assert.deepEqual([body.id, body.status, body.total], [draft.id, 'open', '5.00']);
    assert.deepEqual([body.created_at, body.issued_at], [at('02-01'), at('02-02')]);
    assert.deepEqual(
      body.line_items.map(({ id }: Json) => id),
      draft.line_items.map(({ id }: Json) => id),
    );
    assert.deepEqual(await read(`${PATH}/${draft.id}`), body);
  });

  it('finalize with a total of zero makes it paid at once', async () => {
    const customer_id = await customer();
    await subscribe(customer_id, await plan([PER_UNIT]));
    const [draft] = await advance(customer_id, at('02-01'), { hold_drafts: true });
    const { status, amount_due, amount_paid, paid_at } = await done(`${PATH}/${draft.id}/finalize`, {});
    assert.deepEqual([status, amount_due, amount_paid, paid_at], ['paid', '0.00', '0.00', at('02-01')]);
  });

  it('pay records the time and the reference', async () => {
    const open = await invoiceThatIs('open');
    const sent = { reference: 'Überweisung 4711', paid_at: at('01-20T12:00').replace('Z', '+00:00') };
    const { status, body } = await post(`${PATH}/${open.id}/pay`, sent);
    assert.equal(status, 200);
    const { payments, ...rest } = body;
    assert.deepEqual(
      payments.map(({ amount, reference, paid_at }: Json) => [amount, reference, paid_at]),
      [['3.00', 'Überweisung 4711', at('01-20T12:00')]],
    );
    const { payments: none, ...before } = open;
    assert.deepEqual(none, []);
    assert.deepEqual(rest, {
      ...before,
      status: 'paid',
      payment_status: 'paid',
      amount_due: '0.00',
      amount_paid: '3.00',
      // Not before the issue.
      paid_at: at('02-01'),
      payment_reference: 'Überweisung 4711',
    });
    assert.deepEqual(await read(`${PATH}/${open.id}`), body);
  });

  it('pay without a body is dated now, by the customer’s clock', async () => {
    const open = await invoiceThatIs('open');
    await advance(open.customer_id, at('02-05'));
    const answer = await requestsTo(stack)(`${PATH}/${open.id}/pay`, { method: 'POST' });
    const { status, paid_at, payment_reference } = answer.body;
    assert.deepEqual([answer.status, status, paid_at, payment_reference], [200, 'paid', at('02-05'), null]);
  });

  it('P1: paid_at is at most 366 days before the issue, and not after now', async () => {
    const open = await invoiceThatIs('open');
    const YEAR_MS = 366 * 86_400_000;
    const outside = [
      '9999-12-31T23:59:59Z',
      '1970-01-01',
      later(at('02-01'), -YEAR_MS - 1),
      later(at('02-01'), 1),
    ];
    for (const paid_at of outside) {
      const answer = await post(`${PATH}/${open.id}/pay`, { paid_at });
      assertRefused(answer, { code: 'invalid_request', param: 'paid_at', reason: 'out_of_range' });
    }
    assert.deepEqual(await read(`${PATH}/${open.id}`), open);
    await done(`${PATH}/${open.id}/pay`, { paid_at: later(at('02-01'), -YEAR_MS) });
    const other = await invoiceThatIs('open');
    await advance(other.customer_id, at('02-05'));
    assert.equal((await done(`${PATH}/${other.id}/pay`, { paid_at: at('02-05') })).paid_at, at('02-05'));
  });

  it('paid_at out of range is reported before an invalid state, also of a draft', async () => {
    for (const status of ['draft', 'void', 'paid'] as const) {
      const invoice = await invoiceThatIs(status);
      for (const paid_at of ['9999-12-31', '1970-01-01'])
        assertRefused(await post(`${PATH}/${invoice.id}/pay`, { paid_at }), {
          code: 'invalid_request',
          param: 'paid_at',
        });
    }
  });

  const STATES: [status: Parameters<typeof invoiceThatIs>[0], finalize: number, pay: number][] = [
    ['draft', 200, 409],
    ['open', 409, 200],
    ['paid', 409, 409],
    ['zero', 409, 409],
    ['void', 409, 409],
  ];
  for (const [status, finalize, pay] of STATES) {
    it(`${status}: finalize ${finalize}, pay ${pay}`, async () => {
      const invoice = await invoiceThatIs(status);
      // First the refused action: the accepted one changes the state.
      const actions = [['finalize', finalize] as const, ['pay', pay] as const].sort((a, b) => b[1] - a[1]);
      for (const [action, expected] of actions) {
        const answer = await post(`${PATH}/${invoice.id}/${action}`);
        assert.equal(answer.status, expected, action);
        if (expected === 200) continue;
        assertRefused(answer, { code: 'conflict', param: null, reason: 'invalid_state' });
        assert.deepEqual(await read(`${PATH}/${invoice.id}`), invoice);
      }
    });
  }

  for (const [action, status] of [
    ['finalize', 'draft'],
    ['pay', 'open'],
  ] as const) {
    it(`${action}, ten at once: one has an effect`, async () => {
      const { id, number } = await invoiceThatIs(status);
      const answers = await Promise.all(Array.from({ length: 10 }, () => post(`${PATH}/${id}/${action}`)));
      const refused = answers.filter((answer) => answer.status !== 200);
      assert.equal(refused.length, 9);
      for (const answer of refused) assertRefused(answer, { code: 'conflict', reason: 'invalid_state' });
      assert.ok(number === null || (await read(`${PATH}/${id}`)).number === number);
    });

    it(`${action} with the same Idempotency-Key gets the same response`, async () => {
      const { id } = await invoiceThatIs(status);
      const headers = { 'Idempotency-Key': `${action}-${id}` };
      const first = await post(`${PATH}/${id}/${action}`, {}, { headers });
      const again = await post(`${PATH}/${id}/${action}`, {}, { headers });
      assert.deepEqual([again.status, again.body], [200, first.body]);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assertRefused(await post(`${PATH}/${id}/${action}`), { code: 'conflict', reason: 'invalid_state' });
    });
  }

  it('with a live key, the draft is visible until its grace period ends, or finalize ends it', async () => {
    const live = { key: stack().live_key };
    const [external_id, day_ms] = ['live', 86_400_000];
    await post('/v1/customers', { external_id }, live);
    const charges = [FLAT];
    const { body: made } = await post('/v1/pricing-plans', { name: 'P', charges, interval: 'day' }, live);
    // The second day ended a minute ago. The first one ended a day earlier: its grace period of an hour is over.
    const start_date = later(new Date().toISOString(), -2 * day_ms - 60_000);
    await post('/v1/subscriptions', { customer_id: external_id, plan_id: made.id, start_date }, live);
    const [draft, open] = await eventually(
      async (): Promise<Json[]> => (await get(`${PATH}?customer_id=live`, live)).body.data,
      (invoices) => invoices.length === 2 && invoices[1].status === 'open',
    );
    assert.deepEqual(
      [open.number, open.livemode, draft.status, draft.number],
      ['INV-000001', true, 'draft', null],
    );
    const { status, body } = await post(`${PATH}/${draft.id}/finalize`, {}, live);
    assert.deepEqual([status, body.status, body.number], [200, 'open', 'INV-000002']);
  });

  it('numbers have no gap, separately per environment', async () => {
    for (const key of [stack().test_key, stack().live_key]) {
      const numbers: string[] = [];
      let page = (await get(`${PATH}?limit=200`, { key })).body;
      numbers.push(...page.data.flatMap(({ number }: Json) => number ?? []));
      assert.equal(page.has_more, false);
      assert.deepEqual(
        numbers.sort(),
        numbers.map((_, place) => `INV-${String(place + 1).padStart(6, '0')}`),
      );
    }
  });
});
