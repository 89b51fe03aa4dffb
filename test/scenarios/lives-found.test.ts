import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { fee, feeLivesOn } from '../support/ledger/fee-lives.ts';
import { at, requestsTo, testCustomersOn } from '../support/ledger/test-customer.ts';
import { breachesOf } from '../support/ledger/sound.ts';
import { useStack } from '../support/servers/stack.ts';

/** Lives that were once billed wrong, found by random lives; each with its correct values (billing.md 4 and 5). */
describe('money that random lives found', function () {
  const stack = useStack();
  const customers = testCustomersOn(requestsTo(stack));
  const { advance, customer, done, grant, plan, read, subscribe, use } = customers;
  const { aLife: feesOf, change, notesOf, pay } = feeLivesOn(customers);
  const SUM = { type: 'sum', property: 'size' };

  async function aLife(charge: object, interval: string): Promise<{ id: string; subscription_id: string }> {
    const id = await customer();
    const plan_id = await plan([{ event_name: 'api_call', aggregation: SUM, ...charge }], { interval });
    return { id, subscription_id: (await subscribe(id, plan_id)).id };
  }
  const used = (id: string, timestamp: string, size: string) =>
    use(id, [{ timestamp, properties: { size } }]);
  const cut = async (subscription_id: string): Promise<Json> =>
    (await done('/v1/invoices/generate', { subscription_id, close_now: true })).data.at(-1);

  /** The invariants that a change of the database would breach; the change is rolled back. */
  async function breachesWith(change: string): Promise<string[]> {
    const client = await stack().pool.connect();
    try {
      await client.query('begin');
      await client.query(change);
      return [...new Set((await breachesOf(client)).map(({ invariant }) => invariant))];
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  it('a package beside a negative late line: credit covers the line that is billed again', async () => {
    const { id } = await aLife({ pricing_model: 'package', package_size: '1', package_amount: '1' }, 'day');
    const { id: grant_id } = await grant(id, 1, { rollover: true });
    await used(id, at('01-01'), '1');
    const [first] = await advance(id, at('01-02'));
    await used(id, at('01-01'), '-0.5');
    await advance(id, at('01-03'));
    const { total, line_items } = await done(`/v1/invoices/${first.id}/regenerate`);
    assert.deepEqual([total, line_items[0].credits_applied], ['0.00', '1']);
    assert.equal((await read(`/v1/credit-grants/${grant_id}`)).remaining, 0.5);
  });

  it('the third part bills usage that the second part left out because of the first part, which is void now', async () => {
    const MAX = { type: 'max', property: 'size' };
    const charge = { pricing_model: 'per_unit', unit_amount: '1', aggregation: MAX };
    const { id, subscription_id } = await aLife(charge, 'week');
    await used(id, at('01-01'), '1');
    await advance(id, at('01-02'));
    const part = await cut(subscription_id);
    await used(id, at('01-01'), '1');
    await advance(id, at('01-03'));
    assert.equal((await cut(subscription_id)).total, '0.00');
    await done(`/v1/invoices/${part.id}/void`);
    const [last] = await advance(id, at('01-08'));
    assert.deepEqual([last.total, last.line_items[0].quantity], ['1.00', '1']);
  });

  it('generate bills a void last invoice again, also without lines, and stops there', async () => {
    const { id, subscription_id } = await aLife({ pricing_model: 'per_unit', unit_amount: '1' }, 'day');
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'period_end' });
    await used(id, at('01-01'), '1');
    const [first] = await advance(id, at('01-02'));
    await used(id, at('01-01'), '1');
    const [last] = await advance(id, at('02-06'));
    await done(`/v1/invoices/${first.id}/void`);
    await done(`/v1/invoices/${last.id}/void`);
    const { data, has_more } = await done('/v1/invoices/generate', { subscription_id });
    assert.deepEqual([data.map(({ total }: Json) => total), has_more], [['2.00', '0.00'], false]);
  });

  it('money owed for a period that no invoice can bear is credited where it was billed', async () => {
    const { id, subscription_id } = await aLife({ pricing_model: 'per_unit', unit_amount: '1' }, 'month');
    await used(id, at('01-01'), '2.5');
    await advance(id, at('01-02'));
    assert.equal((await cut(subscription_id)).total, '2.50');
    await used(id, at('01-01'), '-2.5');
    // January is worth 0.00 and has 2.50 billed. No invoice can return 2.50.
    const nothing = await advance(id, at('04-01'));
    assert.deepEqual(
      nothing.map(({ total }: Json) => total),
      ['0.00', '0.00', '0.00'],
    );
    const [note] = (await read(`/v1/credit-notes?customer_id=${id}`)).data;
    assert.deepEqual([note.automatic, note.total], [true, '2.50']);
    assert.deepEqual(
      await breachesWith("update credit_notes set created_by = 'key_1', cause_invoice_id = null"),
      ['I7'],
    );
  });

  it('returned credit is the credit drawn last, also if the line first took over credit of the same grant', async () => {
    const charge = { pricing_model: 'package', package_size: '1', package_amount: '10', free_units: '0.5' };
    const { id, subscription_id } = await aLife(charge, 'day');
    const open = await grant(id, 40, { rollover: true });
    const bound = await grant(id, 2.5, { rollover: false });
    const hour = (time: string) => at('01-01').replace('00:00', time);
    await used(id, hour('20:00'), '6');
    await used(id, hour('07:00'), '2.5');
    await advance(id, hour('13:00'));
    const morning = await cut(subscription_id);
    await used(id, hour('10:00'), '1.75');
    const [evening] = await advance(id, at('01-02'));
    await used(id, hour('04:00'), '-2.5');
    const second = await done(`/v1/invoices/${morning.id}/regenerate`);
    await done(`/v1/invoices/${evening.id}/regenerate`);
    // The evening has 7.75 of credit: 0.5 of the open grant taken over, 2.5 of the bound grant, then 4.75 of the open grant.
    await done(`/v1/invoices/${second.id}/regenerate`);
    // 7.75 units, 0.5 of them free, need 7.25: the open grant, drawn last, gets 0.5 back.
    const remaining = async ({ id }: Json) => (await read(`/v1/credit-grants/${id}`)).remaining;
    assert.deepEqual([await remaining(open), await remaining(bound)], [35.25, 0]);
  });

  it('a draft beside a draft that shows returned credit has that credit, which is drawn until the issue', async () => {
    const { id } = await aLife(
      { pricing_model: 'credit', credits_per_unit: '1', overage_unit_amount: '0.5' },
      'day',
    );
    const { id: grant_id } = await grant(id, 3, { rollover: true });
    await used(id, at('01-01'), '8');
    assert.equal((await advance(id, at('01-02')))[0].total, '2.50');
    await used(id, at('01-01'), '-8');
    await used(id, at('01-02'), '8');
    await advance(id, at('01-03'), { hold_drafts: true });
    await done(`/v1/credit-grants/${grant_id}/void`);
    await used(id, at('01-01'), '14');
    await advance(id, at('01-04'), { hold_drafts: true });
    const { data } = await read(`/v1/invoices?customer_id=${id}`);
    const shown = data.map(({ line_items }: Json) =>
      line_items.map(
        (line: Json) => `${line.quantity} units, ${line.credits_applied} credits, ${line.amount}`,
      ),
    );
    // The first day: 8 units, -8, 14 are 14 units; credit of 3 is drawn. So 11 x 0.50 = 5.50, less 2.50 and -2.50.
    assert.deepEqual(shown, [
      ['0 units, 0 credits, 0.00', '14 units, 0 credits, 5.50'],
      ['8 units, 3 credits, 2.50', '-8 units, -3 credits, -2.50'],
      ['8 units, 3 credits, 2.50'],
    ]);
  });

  it('a return that a held draft shows of a void invoice counts for nothing: credit covers the other charge', async () => {
    const id = await customer();
    const charges = [
      { pricing_model: 'credit', credits_per_unit: '1', overage_unit_amount: '0', aggregation: SUM },
      { pricing_model: 'per_unit', unit_amount: '1', aggregation: { type: 'unique', property: 'user' } },
    ].map((charge) => ({ event_name: 'api_call', ...charge }));
    await subscribe(id, await plan(charges, { interval: 'day' }));
    const { id: grant_id } = await grant(id, 1, { rollover: true });
    const sized = (size: string) => use(id, [{ timestamp: at('01-01'), properties: { size, user: 'ann' } }]);
    await sized('1');
    const [first] = await advance(id, at('01-02'));
    assert.deepEqual([first.total, first.line_items[0].credits_applied], ['1.00', '1']);
    await sized('-1');
    await advance(id, at('01-03'), { hold_drafts: true });
    const again = await done(`/v1/invoices/${first.id}/regenerate`);
    const creditsOf = ({ line_items }: Json) => line_items.map((line: Json) => line.credits_applied);
    assert.deepEqual([again.total, creditsOf(again)], ['0.00', ['0', '1']]);
    await advance(id, at('01-04'));
    assert.equal((await read(`/v1/credit-grants/${grant_id}`)).remaining, 0);
    const { data } = await read(`/v1/invoices?customer_id=${id}`);
    const standing = data.filter(({ status }: Json) => status !== 'void');
    assert.deepEqual(
      standing.map(({ total }: Json) => total),
      ['0.00', '0.00', '0.00'],
    );
  });

  it('a change of plan by `none` that has come keeps it where a cancellation takes its place: 24.50 of the 49.00', async () => {
    const { id, subscription_id, opening } = await feesOf([fee('199.00')]);
    await pay(opening);
    await advance(id, at('04-16'));
    await change(subscription_id, { plan_id: await plan([fee('49.00')]), at: 'now', settle: 'none' });
    await advance(id, at('04-16'));
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now', settle: 'balance' });
    await advance(id, at('05-01'));
    const notes = (await notesOf(id)).map(({ total }: Json) => total);
    assert.deepEqual(notes, ['24.50']);
  });
});
