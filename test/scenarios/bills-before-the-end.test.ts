import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { useStack } from '../support/servers/stack.ts';
import { CALLS_ON_T as T, discountsOf, UNITS } from '../support/ledger/discounts.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';

/** billing.md 15, by the test clock: the figures of bills before the end. */
describe('bills before the end', () => {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, grant, plan, read, subscribe, use } = customers;
  const { invoicesOf } = feeLivesOn(customers);
  const { discount } = discountsOf(customers);

  /** A subscription from 1 April on, billed at 100.00 of usage; the clock stands there. */
  async function aLife(charges: object[], { bill_at = '100', ...parts }: Json = {}) {
    const id = await customer(parts, at('04-01'));
    const subscription = await subscribe(id, await plan(charges, { currency: parts['currency'] }), {
      bill_at,
    });
    return { id, subscription_id: subscription.id as string };
  }

  const units = (id: string, n: number, when: string, event_name = 'call') =>
    use(id, [{ event_name, timestamp: at(when), properties: { n } }]);

  /** "usage 100.00, threshold until 04-10": the lines of an invoice, its cause and the end of its period. */
  const billOf = ({ line_items, cause, period_end }: Json): string => {
    const lines = line_items.map(({ type, amount }: Json) => `${type} ${amount}`);
    return `${lines.join(', ')}, ${cause} until ${period_end.slice(5, 10)}`;
  };
  const bills = (invoices: Json[]): string[] => invoices.map(billOf);
  const billsOf = async (id: string): Promise<string[]> =>
    bills((await invoicesOf(id)).filter(({ status }) => status !== 'void'));

  it('999 are nothing; 1,000 are 100.00 billed; 4,000 more to the end are 205.00, and 305.00 together', async () => {
    const { id } = await aLife([T]);
    await advance(id, at('04-10'));
    await units(id, 999, '04-09');
    assert.deepEqual(await advance(id, at('04-11')), []);
    await units(id, 1, '04-10T12:00');
    const [invoice, ...others] = await advance(id, at('04-12'));
    assert.deepEqual([others.length, invoice!.status, invoice!.kind], [0, 'open', 'period']);
    assert.deepEqual(bills([invoice!]), ['usage 100.00, threshold until 04-11']);
    await units(id, 4000, '04-12T12:00');
    const at_end = await advance(id, at('05-01'));
    assert.deepEqual(bills(at_end), ['usage 205.00, null until 05-01']);
    assert.equal(
      (await invoicesOf(id)).reduce((sum, { subtotal }) => sum + Number(subtotal), 0),
      305,
    );
  });

  const ROWS: [what: string, charges: object[], n: number, bill: string | null][] = [
    ['T, 999', [T], 999, null],
    ['T, 1,000', [T], 1000, 'usage 100.00'],
    ['T, 500 and a fee in arrears of 60.00', [{ ...fee('60'), billed: 'in_arrears' }, T], 500, null],
    [
      'T, 1,000 and a fee in arrears of 60.00',
      [{ ...fee('60'), billed: 'in_arrears' }, T],
      1000,
      'flat 20.00, usage 100.00',
    ],
  ];
  for (const [what, charges, n, bill] of ROWS)
    it(`${what}: ${bill ?? 'nothing'}`, async () => {
      const { id } = await aLife(charges);
      await advance(id, at('04-11'));
      await units(id, n, '04-09');
      const made = await advance(id, at('04-12'));
      assert.deepEqual(bills(made), bill === null ? [] : [`${bill}, threshold until 04-11`]);
    });

  it('1,000 at 10 percent, 90.00, are nothing; 1,123, 100.04, are billed', async () => {
    const { id } = await aLife([T]);
    await discount(id);
    await advance(id, at('04-10'));
    await units(id, 1000, '04-09');
    assert.deepEqual(await advance(id, at('04-11')), []);
    await units(id, 123, '04-10');
    assert.deepEqual(bills(await advance(id, at('04-12'))), ['usage 100.04, threshold until 04-11']);
  });

  it('1,000 with a grant of 100 are nothing; 100 more are billed, and draw the grant', async () => {
    const { id } = await aLife([T]);
    await grant(id, 100, { rollover: true });
    await advance(id, at('04-10'));
    await units(id, 1000, '04-09');
    assert.deepEqual(await advance(id, at('04-11')), []);
    await units(id, 100, '04-10');
    assert.deepEqual(bills(await advance(id, at('04-12'))), ['usage 100.00, threshold until 04-11']);
    assert.equal((await read(`/v1/customers/${id}`)).credit_remaining, 0);
  });

  it('990 and 300 late of March are nothing', async () => {
    const id = await customer({}, at('03-01'));
    await subscribe(id, await plan([T]), { bill_at: '100' });
    await advance(id, at('03-10'));
    await units(id, 900, '03-09');
    await advance(id, at('04-02'));
    await units(id, 300, '03-20');
    await units(id, 990, '04-01');
    assert.deepEqual(bills(await advance(id, at('04-03'))), []);
    assert.deepEqual(bills(await advance(id, at('05-01'))), [
      'usage 99.00, late_usage 25.00, null until 05-01',
    ]);
  });

  it('50.00 of one charge and 50.00 of another one are on one invoice', async () => {
    const { id } = await aLife([T, { ...UNITS, event_name: 'page' }]);
    await advance(id, at('04-10'));
    await units(id, 500, '04-09');
    await units(id, 50, '04-09', 'page');
    assert.deepEqual(bills(await advance(id, at('04-11'))), [
      'usage 50.00, usage 50.00, threshold until 04-10',
    ]);
  });

  it('2,000 more within the hour wait until the part is an hour old: 105.00', async () => {
    const { id } = await aLife([T]);
    await advance(id, at('04-10T10:00'));
    await units(id, 1000, '04-10T09:00');
    assert.deepEqual((await advance(id, at('04-10T10:20'))).length, 1);
    await units(id, 2000, '04-10T10:15');
    assert.deepEqual(await advance(id, at('04-10T10:59')), []);
    assert.deepEqual(bills(await advance(id, at('04-10T11:00'))), ['usage 105.00, threshold until 04-10']);
  });

  it('the void invoice is left; its usage does not count; generate keeps the cause', async () => {
    const { id, subscription_id } = await aLife([T]);
    await advance(id, at('04-10'));
    await units(id, 1000, '04-09');
    const [invoice] = await advance(id, at('04-11'));
    await done(`/v1/invoices/${invoice!.id}/void`);
    await units(id, 500, '04-10T12:00');
    assert.deepEqual(await advance(id, at('04-12')), []);
    const { data } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual(bills(data), ['usage 100.00, threshold until 04-10']);
    assert.equal(data[0].replaces, invoice!.id);
    const again = await done(`/v1/invoices/${data[0].id}/regenerate`);
    assert.deepEqual(bills([again]), ['usage 100.00, threshold until 04-10']);
  });

  it('1,000 by volume are 100.00, and 1 more is nothing', async () => {
    const { id } = await aLife([{ ...T, pricing_model: 'volume' }]);
    await advance(id, at('04-10'));
    await units(id, 1000, '04-09');
    await advance(id, at('04-11'));
    await units(id, 1, '04-10T12:00');
    assert.deepEqual(await advance(id, at('04-12')), []);
  });

  it('an advance looks before it moves and when it has arrived, and not in between', async () => {
    for (const [to, expected] of [
      ['04-20', ['usage 150.00, threshold until 04-20']],
      ['05-01', ['usage 150.00, null until 05-01']],
    ] as const) {
      const { id } = await aLife([UNITS]);
      await advance(id, at('04-09T12:00'));
      await units(id, 150, '04-10');
      assert.deepEqual(bills(await advance(id, at(to))), expected);
    }
  });

  it('both looks of one advance are in its response', async () => {
    const { id } = await aLife([UNITS]);
    await advance(id, at('04-09T12:00'));
    await units(id, 100, '04-09');
    await units(id, 120, '04-10');
    assert.deepEqual(bills(await advance(id, at('04-20'))), [
      'usage 100.00, threshold until 04-09',
      'usage 120.00, threshold until 04-20',
    ]);
    assert.deepEqual(await advance(id, at('04-20')), []);
  });

  it('a held draft keeps its hold', async () => {
    const { id } = await aLife([UNITS], { bill_at: '100' });
    await advance(id, at('04-20'));
    await units(id, 20, '04-19');
    await advance(id, at('05-02'), { hold_drafts: true });
    await units(id, 100, '05-01');
    const made = await advance(id, at('05-03'), { hold_drafts: true });
    assert.deepEqual(bills(made), ['usage 100.00, threshold until 05-02']);
    assert.deepEqual(
      (await invoicesOf(id)).map(({ status }) => status),
      ['draft', 'open'],
    );
  });

  it('a trial, the time before the start and the time after the end have none', async () => {
    const id = await customer({}, at('04-01'));
    const trial = { start_date: at('04-05'), trial_end_date: at('04-20'), bill_at: '100' };
    const { id: subscription_id } = await subscribe(id, await plan([UNITS]), trial);
    await advance(id, at('04-04'));
    await units(id, 100, '04-03');
    await advance(id, at('04-10'));
    await units(id, 100, '04-09');
    assert.deepEqual(await advance(id, at('04-21')), []);
    await units(id, 99, '04-20T12:00');
    await advance(id, at('04-22'));
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    await advance(id, at('04-23'));
    await units(id, 100, '04-22T12:00');
    assert.deepEqual(await advance(id, at('04-24')), []);
    assert.deepEqual(await billsOf(id), ['usage 99.00, null until 04-22']);
  });
});
