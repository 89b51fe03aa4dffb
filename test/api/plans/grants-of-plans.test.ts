import assert from 'node:assert/strict';
import type { Reason } from '../../../src/domain/money/errors.ts';
import type { Json } from '../../support/servers/api.ts';
import { eventually } from '../../support/servers/eventually.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import { at, requestsTo, testCustomersOn } from '../../support/ledger/test-customer.ts';

const CALLS = {
  ...{ event_name: 'call', pricing_model: 'per_unit', unit_amount: '0.01' },
  aggregation: { type: 'sum', property: 'n' },
};
const MONTHLY = { amount: 1000, expires: 'period_end' };
const CARRIED = { ...MONTHLY, carry_over_max: 500 };

/** billing.md 4, "Grants of a plan" and "Carry-over". */
describe('grants of plans', () => {
  const stack = useStack();
  const request = requestsTo(stack);
  const { advance, customer, done, plan, post, read, subscribe, use } = testCustomersOn(request);

  const planWith = (grants: object[], parts: object = {}): Promise<string> =>
    plan([CALLS], { grants, ...parts });
  /** Grants of a customer, oldest first. */
  const grantsOf = async (id: string): Promise<Json[]> =>
    (await read(`/v1/credit-grants?customer_id=${id}`)).data.toReversed();
  const untilGranted = (id: string, count: number): Promise<Json[]> =>
    eventually(
      () => grantsOf(id),
      (all) => all.length === count,
    );
  const textOf = ({ amount, status, remaining, created_at, expires_at }: Json): string =>
    `${amount} ${status} ${remaining} ${created_at.slice(5, 10)} ${expires_at.slice(5, 10)}`;
  const useUnits = (id: string, n: number, date: string) =>
    use(id, [{ event_name: 'call', properties: { n }, timestamp: at(date) }]);

  it('are made as each full period begins, bound to the subscription, and expire with it', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await planWith([MONTHLY]));
    const [april] = await untilGranted(id, 1);
    assert.deepEqual(
      [april!.created_at, april!.expires_at, april!.rollover, april!.subscription_id, april!.event_names],
      [at('04-01'), at('05-01'), false, subscription_id, null],
    );
    await advance(id, at('04-10'));
    await useUnits(id, 700, '04-05');
    const [invoice] = await advance(id, at('05-01'));
    assert.equal(invoice!.total, '0.00');
    assert.deepEqual((await untilGranted(id, 2)).map(textOf), [
      '1000 expired 0 04-01 05-01',
      '1000 active 1000 05-01 06-01',
    ]);
  });

  it('1,000 a month, 500 carried over: 700, then 1,500, of which 1,300 are covered', async () => {
    const id = await customer({}, at('04-01'));
    await subscribe(id, await planWith([CARRIED]));
    await advance(id, at('04-10'));
    await useUnits(id, 700, '04-05');
    await advance(id, at('05-10'));
    const [april] = await grantsOf(id);
    assert.deepEqual(
      [april!.status, april!.remaining, april!.carry_over_max, april!.carry_over_until],
      ['active', 300, 500, at('06-01')],
    );
    await useUnits(id, 1500, '05-05');
    const [may] = await advance(id, at('06-01'));
    const [line] = may!.line_items;
    assert.deepEqual([line.credits_applied, line.amount], ['1300', '2.00']);
    assert.deepEqual((await grantsOf(id)).map(textOf), [
      '1000 depleted 0 04-01 05-01',
      '1000 depleted 0 05-01 06-01',
      '1000 active 1000 06-01 07-01',
    ]);
  });

  it('carries over at most so much, and none to the period after the next', async () => {
    const id = await customer({}, at('04-01'));
    await subscribe(id, await planWith([CARRIED]));
    await advance(id, at('04-10'));
    await useUnits(id, 100, '04-05');
    await advance(id, at('05-10'));
    await useUnits(id, 1600, '05-05');
    const [may] = await advance(id, at('06-10'));
    assert.equal(may!.line_items[0].credits_applied, '1500');
    const [june] = await advance(id, at('07-10'));
    assert.equal(june!.line_items[0].credits_applied, '0');
    await useUnits(id, 2000, '07-05');
    const [july] = await advance(id, at('08-01'));
    assert.equal(july!.line_items[0].credits_applied, '1500');
  });

  it('late usage of the next period draws up to the limit, and what it returns may be drawn again', async () => {
    const id = await customer({}, at('04-01'));
    await subscribe(id, await planWith([CARRIED]));
    await advance(id, at('05-10'));
    await useUnits(id, 1400, '05-05');
    await advance(id, at('06-02'));
    await useUnits(id, 300, '05-20');
    const upcoming = (await advance(id, at('07-01')))[0]!;
    const late = upcoming.line_items.find(({ type }: Json) => type === 'late_usage');
    assert.deepEqual([late.quantity, late.credits_applied, late.amount], ['300', '100', '2.00']);
  });

  it('begin with the first billing period after a trial, and again in catch-up', async () => {
    const id = await customer({}, at('04-01'));
    await subscribe(id, await planWith([MONTHLY]), { trial_end_date: at('04-15') });
    await advance(id, at('04-10'));
    assert.deepEqual(await grantsOf(id), []);
    await advance(id, at('06-20'));
    assert.deepEqual(
      (await grantsOf(id)).map(({ created_at }) => created_at),
      [at('04-15'), at('05-15'), at('06-15')],
    );
    const late = await customer({}, at('04-01'));
    await subscribe(late, await planWith([MONTHLY]), { start_date: at('02-01') });
    assert.deepEqual((await untilGranted(late, 3)).map(textOf), [
      '1000 expired 0 02-01 03-01',
      '1000 expired 0 03-01 04-01',
      '1000 active 1000 04-01 05-01',
    ]);
  });

  it('follow the end of the period: set, taken back, and moved by a change of plan', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await planWith([CARRIED]));
    await untilGranted(id, 1);
    await advance(id, at('04-10'));
    const ends = async () => (await grantsOf(id)).map((one) => [one.expires_at, one.carry_over_until]);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-20') });
    assert.deepEqual(await ends(), [[at('04-20'), at('04-20')]]);
    const path = `/v1/subscriptions/${subscription_id}/cancel`;
    assert.equal((await request(path, { method: 'DELETE' })).status, 200);
    assert.deepEqual(await ends(), [[at('05-01'), null]]);
    const plan_id = await planWith([]);
    await done(`/v1/subscriptions/${subscription_id}/change`, { plan_id, at: 'now' });
    await advance(id, at('04-12'));
    assert.deepEqual(await ends(), [[at('04-10'), at('05-01')]]);
    await useUnits(id, 900, '04-11');
    const { line_items } = await read(`/v1/subscriptions/${subscription_id}/upcoming-invoice`);
    assert.equal(line_items[0].credits_applied, '500');
  });

  it('a cut makes none', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await planWith([MONTHLY]));
    await untilGranted(id, 1);
    await advance(id, at('04-10'));
    await useUnits(id, 400, '04-05');
    await done('/v1/invoices/generate', { subscription_id, close_now: true });
    await useUnits(id, 700, '04-09');
    const [april] = await advance(id, at('05-01'));
    assert.equal(april!.line_items[0].credits_applied, '600');
    assert.deepEqual((await untilGranted(id, 2)).map(textOf)[0], '1000 depleted 0 04-01 05-01');
  });

  it('are voided where another plan is exchanged, or the subscription ends at the start', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await planWith([MONTHLY]));
    await untilGranted(id, 1);
    const larger = await planWith([{ ...MONTHLY, amount: 5000 }]);
    await done(`/v1/subscriptions/${subscription_id}/change`, { plan_id: larger, at: at('04-01') });
    assert.deepEqual((await untilGranted(id, 2)).map(textOf), [
      '1000 voided 0 04-01 05-01',
      '5000 active 5000 04-01 05-01',
    ]);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: at('04-01') });
    const voided = await eventually(
      () => grantsOf(id),
      (all) => all.every(({ status }) => status === 'voided'),
    );
    assert.equal(voided.length, 2);
  });

  it('by days and for some events; a plan shows its grants, and a version compares them', async () => {
    const grants = [{ amount: 20, event_names: ['call'], expires: { days: 45 } }, CARRIED];
    const body = { key: 'granting', name: 'Granting', charges: [CALLS], grants };
    const made = await done('/v1/pricing-plans', body);
    const shown = [
      { ...grants[0], carry_over_max: null, prorate: false },
      { ...CARRIED, event_names: null, prorate: false },
    ];
    assert.deepEqual(made.grants, shown);
    assert.deepEqual((await read(`/v1/pricing-plans/${made.id}`)).grants, shown);
    const { changes } = await done('/v1/pricing-plans/preview', {
      ...{ ...body, grants: [{ ...grants[0], amount: 30 }, CARRIED] },
    });
    assert.deepEqual(changes, [{ field: 'grants[0].amount', current: '20', proposed: '30' }]);
    const id = await customer({}, at('04-01'));
    await subscribe(id, made.id);
    const [first, second] = await untilGranted(id, 2);
    assert.deepEqual(
      [first!.expires_at, first!.rollover, first!.event_names, second!.expires_at],
      [at('05-16'), true, ['call'], at('05-01')],
    );
  });

  it('refuses grants that a plan cannot have', async () => {
    const refused = async (grants: unknown, param: string, reason: Reason) =>
      assertRefused(await post('/v1/pricing-plans', { name: 'p', charges: [CALLS], grants }), {
        ...{ code: 'invalid_request', param, reason },
      });
    await refused([{ ...CARRIED, carry_over_max: 1001 }], 'grants[0].carry_over_max', 'out_of_range');
    await refused(
      [MONTHLY, { ...CARRIED, expires: { days: 3 } }],
      ...(['grants[1].carry_over_max', 'not_allowed'] as const),
    );
    await refused([{ ...MONTHLY, expires: { days: 0 } }], 'grants[0].expires.days', 'out_of_range');
    await refused([{ ...MONTHLY, expires: { days: 3651 } }], 'grants[0].expires.days', 'out_of_range');
    await refused([{ ...MONTHLY, expires: 'never' }], 'grants[0].expires', 'malformed');
    await refused([{ amount: 3 }], 'grants[0].expires', 'missing');
    await refused([{ ...MONTHLY, amount: 0 }], 'grants[0].amount', 'out_of_range');
    await refused([{ ...MONTHLY, amount: '3' }], 'grants[0].amount', 'wrong_type');
    await refused([{ ...MONTHLY, rollover: true }], 'grants[0].rollover', 'unknown_member');
    await refused(Array(21).fill(MONTHLY), 'grants', 'too_many');
  });

  it('a preview of a change has the grants of the new plan', async () => {
    const id = await customer({}, at('04-01'));
    const { id: subscription_id } = await subscribe(id, await planWith([]));
    await advance(id, at('04-10'));
    await useUnits(id, 300, '04-10');
    const { upcoming } = await done(`/v1/subscriptions/${subscription_id}/change`, {
      ...{ plan_id: await planWith([MONTHLY]), at: 'now', dry_run: true },
    });
    assert.equal(upcoming.line_items[0].credits_applied, '300');
    assert.deepEqual(await grantsOf(id), []);
  });
});
