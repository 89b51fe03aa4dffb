import assert from 'node:assert/strict';
import type { Json } from '../support/servers/api.ts';
import { eventually } from '../support/servers/eventually.ts';
import { useStack } from '../support/servers/stack.ts';

const SOON_MS = 15_000;

/** billing.md 10, in real time: the workflow opens periods by its own timers. */
describe('the beginning of a period with fees in advance', () => {
  const stack = useStack();
  let made = 0;
  const done = (path: string, body: object): Promise<Json> =>
    stack().done<Json>(stack().live_key, 'POST', path, body);
  const invoicesOf = async (id: string): Promise<Json[]> =>
    (await stack().done<{ data: Json[] }>(stack().live_key, 'GET', `/v1/invoices?customer_id=${id}`)).data;
  const until = (id: string, count: number): Promise<Json[]> =>
    eventually(
      () => invoicesOf(id),
      (invoices) => invoices.filter(({ number }) => number !== null).length >= count,
    );

  async function aPlan(flat_amount: string): Promise<string> {
    const fee = { event_name: 'fee', pricing_model: 'flat', flat_amount, billed: 'in_advance' };
    return (await done('/v1/pricing-plans', { name: 'Plan', charges: [fee] }))['id'] as string;
  }

  async function subscribed(dates: object): Promise<{ id: string; subscription_id: string }> {
    const id = `opening-${++made}`;
    await done('/v1/customers', { external_id: id });
    const { id: subscription_id } = await done('/v1/subscriptions', {
      ...{ customer_id: id, plan_id: await aPlan('30') },
      ...dates,
    });
    return { id, subscription_id: subscription_id as string };
  }

  it('is worked off at a start that is to come, and at the end of a trial', async () => {
    const soon = new Date(Date.now() + SOON_MS).toISOString();
    const pending = await subscribed({ start_date: soon });
    const trialing = await subscribed({ trial_end_date: soon });
    assert.deepEqual([await invoicesOf(pending.id), await invoicesOf(trialing.id)], [[], []]);
    for (const { id } of [pending, trialing]) {
      const [opening] = await until(id, 1);
      assert.deepEqual(
        [opening!['kind'], opening!['period_start'], opening!['total']],
        ['opening', soon, '30.00'],
      );
    }
  });

  it('comes after an exchange, and unused time is credited where a change ends a period', async () => {
    const { id, subscription_id } = await subscribed({});
    const [opening] = await until(id, 1);
    const at = new Date(Date.now() + SOON_MS).toISOString();
    await done(`/v1/subscriptions/${subscription_id}/change`, { plan_id: await aPlan('10'), at });
    const notes = await eventually(
      async () =>
        (await stack().done<{ data: Json[] }>(stack().live_key, 'GET', `/v1/credit-notes?customer_id=${id}`))
          .data,
      (all) => all.length > 0,
    );
    assert.deepEqual([notes[0]!['automatic'], notes[0]!['invoice_id']], [true, opening!['id']]);
    const invoices = await eventually(
      () => invoicesOf(id),
      (all) => all.length === 2,
    );
    const closing = invoices.find(({ kind }) => kind === 'period')!;
    assert.equal((closing['line_items'] as Json[])[0]!['period_start'], at);
  });

  it('is worked off once, also where its worker was away as it began', async () => {
    const { id } = await stack().whileAway(async () => {
      const life = await subscribed({});
      assert.deepEqual(await invoicesOf(life.id), []);
      return life;
    });
    assert.equal((await until(id, 1)).length, 1);
  });
});
