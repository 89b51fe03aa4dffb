import assert from 'node:assert/strict';
import type { Json } from '../../support/servers/api.ts';
import { planMigrationsOn } from '../../support/ledger/plan-migrations.ts';
import { assertRefused } from '../../support/ledger/refused.ts';
import { useStack } from '../../support/servers/stack.ts';
import {
  at,
  FLAT,
  PER_UNIT,
  requestsTo,
  testCustomersOn,
  times,
} from '../../support/ledger/test-customer.ts';

const PATH = '/v1/plan-migrations';
const PLANS = '/v1/pricing-plans';
const calls = (unit_amount: string) => ({ ...PER_UNIT, unit_amount });
const fee = (flat_amount: string) => ({ ...FLAT, flat_amount });

/** billing.md 12: custom plans in a migration. */
describe('plan migrations of custom plans', () => {
  const stack = useStack();
  const lives = testCustomersOn(requestsTo(stack));
  const { customer, plan, subscribe, post, read, done, use } = lives;
  const { path, finished, migrated, outcomesOf, countsOf } = planMigrationsOn(lives);

  const customPlan = async (based_on: string, customer_id: string, overrides: object[], parts: object = {}) =>
    (await done(PLANS, { based_on, customer_id, overrides, ...parts })).id as string;

  /** A subscription of a new customer, whose time is the first of April, to a custom plan. */
  async function aCustomer(
    based_on: string,
    overrides: object[] = [{ charge: 0, unit_amount: '0.08' }],
    parts = {},
  ) {
    const id = await customer({}, at('04-01'));
    const plan_id = await customPlan(based_on, id, overrides, parts);
    const { id: subscription_id } = await subscribe(id, plan_id);
    return { id, plan_id, subscription_id: subscription_id as string };
  }
  const planOf = async (subscription_id: string): Promise<Json> =>
    read(`${PLANS}/${(await read(`/v1/subscriptions/${subscription_id}`)).plan_id}`);
  const pending = async (subscription_id: string): Promise<Json> =>
    (await read(`/v1/subscriptions/${subscription_id}`)).pending_change;
  /** Two versions: 0.10 and 49.00, then 0.12 and 59.00, and a custom plan of the first at 0.08. */
  async function aRise(key: string) {
    const old_id = await plan([calls('0.10'), fee('49')], { key });
    const custom = await aCustomer(old_id);
    const of_all = await subscribe(await customer({}, at('04-01')), old_id);
    const new_id = await plan([calls('0.12'), fee('59')], { key });
    return { old_id, new_id, custom, of_all: of_all.id as string };
  }

  it('skip them and say so', async () => {
    const { custom, of_all, new_id } = await aRise('skipped');
    const migration = await migrated({ from_plan_id: 'skipped', to_plan_id: 'skipped', at: 'now' });
    assert.deepEqual([migration.custom, ...countsOf(migration)], [false, 2, 1, 1, 0, 0]);
    assert.deepEqual((await outcomesOf(migration.id)).get(custom.subscription_id), [
      'skipped',
      `the subscription has the custom plan ${custom.plan_id}`,
    ]);
    assert.equal((await planOf(custom.subscription_id)).id, custom.plan_id);
    assert.equal((await planOf(of_all)).id, new_id);
  });

  it('with `custom` base them anew on the target: 129.00 become 139.00', async () => {
    const { custom, new_id } = await aRise('anew');
    await use(custom.id, times(1000, { timestamp: at('04-01') }));
    const body = { from_plan_id: 'anew', to_plan_id: 'anew', at: 'now' };
    const of_custom = async (more: object) =>
      (await done(PATH, { ...body, ...more, dry_run: true })).data.find(
        ({ customer_id }: Json) => customer_id === custom.id,
      );
    const { subscription_id, id: customer_id } = custom;
    assert.deepEqual(await of_custom({}), {
      ...{ subscription_id, customer_id, current: '129.00', proposed: '129.00', difference: '0.00' },
    });
    assert.deepEqual(await of_custom({ custom: true }), {
      ...{ subscription_id, customer_id, current: '129.00', proposed: '139.00', difference: '10.00' },
    });
    assert.equal((await read(`${PLANS}?customer_id=${custom.id}`)).data.length, 1);
    const migration = await migrated({ ...body, custom: true });
    assert.deepEqual([migration.custom, ...countsOf(migration)], [true, 2, 2, 0, 0, 0]);
    const { id, charges, based_on, customer_id: owner, overrides } = await planOf(subscription_id);
    assert.notEqual(id, custom.plan_id);
    assert.deepEqual([based_on, owner], [new_id, custom.id]);
    assert.deepEqual(overrides, [{ charge: 0, unit_amount: '0.08' }]);
    assert.deepEqual([charges[0].unit_amount, charges[1].flat_amount], ['0.08', '59']);
  });

  it('keep name, metadata and grants in which a custom plan differs from its base', async () => {
    const units = (amount: number) => ({ grants: [{ amount, expires: 'period_end' }] });
    const old_id = await plan([calls('0.1')], { name: 'Pro', metadata: { v: 1 }, ...units(10) });
    const new_id = await plan([calls('0.2')], { name: 'Pro 2', metadata: { v: 2 }, ...units(20) });
    const equal = await aCustomer(old_id);
    const own = await aCustomer(old_id, [], { name: 'For Acme', metadata: { v: 3 }, ...units(30) });
    await migrated({ from_plan_id: old_id, to_plan_id: new_id, at: 'now', custom: true });
    const shown = async (subscription_id: string) => {
      const { name, metadata, grants } = await planOf(subscription_id);
      return [name, metadata, grants[0].amount];
    };
    assert.deepEqual(await shown(equal.subscription_id), ['Pro 2', { v: 2 }, 20]);
    assert.deepEqual(await shown(own.subscription_id), ['For Acme', { v: 3 }, 30]);
  });

  it('make one plan for the subscriptions of a customer that come to equal ones, and take one that is there', async () => {
    const old_id = await plan([calls('0.1')]);
    const new_id = await plan([calls('0.2')]);
    const { id, plan_id, subscription_id } = await aCustomer(old_id);
    await done(`/v1/subscriptions/${subscription_id}/cancel`, { at: 'now' });
    const again = await subscribe(id, plan_id);
    const existing = await customPlan(new_id, id, [{ charge: 0, unit_amount: '0.08' }]);
    await migrated({ from_plan_id: old_id, to_plan_id: new_id, at: 'period_end', custom: true });
    assert.equal((await pending(again.id)).plan_id, existing);
    assert.equal((await read(`${PLANS}?customer_id=${id}`)).data.length, 2);
  });

  const FAILED: [what: string, charges: object[], message: RegExp][] = [
    [
      'another event name',
      [fee('59'), calls('0.12')],
      /charge 0 of plan plan_\w+ is platform \(flat\), but api_call \(per_unit\)/,
    ],
    [
      'another model',
      [
        {
          ...calls('0.12'),
          pricing_model: 'package',
          unit_amount: undefined,
          package_size: '10',
          package_amount: '1',
        },
      ],
      /is api_call \(package\), but api_call \(per_unit\)/,
    ],
    [
      'a list of prices',
      [{ ...calls('0'), unit_amount: undefined, prices: [{ default: true, unit_amount: '1' }] }],
      /overrides\[0\].unit_amount is not allowed beside prices/,
    ],
  ];
  for (const [what, charges, message] of FAILED)
    it(`have failed for a custom plan where the target has ${what} at the place`, async () => {
      const old_id = await plan([calls('0.10'), fee('49')]);
      const custom = await aCustomer(old_id);
      const other = await aCustomer(old_id, []);
      const new_id = await plan(charges);
      const body = { from_plan_id: old_id, to_plan_id: new_id, at: 'now', custom: true };
      const preview = await done(PATH, { ...body, dry_run: true });
      const compared = preview.data.find(({ customer_id }: Json) => customer_id === custom.id);
      assert.equal(compared.difference, '0.00');
      const migration = await migrated(body);
      assert.deepEqual(countsOf(migration), [2, 1, 0, 1, 0]);
      const { data } = await read(`${path(migration.id)}/outcomes?status=failed`);
      assert.deepEqual([data.length, data[0].subscription_id], [1, custom.subscription_id]);
      assert.match(data[0].reason, message);
      assert.match(data[0].details[0].param, /^overrides\[0\]/);
      assert.equal((await planOf(custom.subscription_id)).id, custom.plan_id);
      assert.equal((await planOf(other.subscription_id)).based_on, new_id);
    });

  it('have failed for an override of a place that the target lacks', async () => {
    const old_id = await plan([calls('0.10'), fee('49')]);
    const custom = await aCustomer(old_id, [{ charge: 1, flat_amount: '39' }]);
    const new_id = await plan([calls('0.12')]);
    const migration = await migrated({ from_plan_id: old_id, to_plan_id: new_id, at: 'now', custom: true });
    const [status, reason] = (await outcomesOf(migration.id)).get(custom.subscription_id)!;
    assert.equal(status, 'failed');
    assert.match(reason!, /charge 1 of plan plan_\w+ is no charge, but platform \(flat\)/);
  });

  it('take changes to them back too', async () => {
    const { custom, of_all } = await aRise('back');
    const body = { from_plan_id: 'back', to_plan_id: 'back', at: 'period_end', custom: true };
    const { id } = await migrated(body);
    assert.equal((await pending(custom.subscription_id)).at, at('05-01'));
    await done(`${path(id)}/take-back`);
    const taken_back = await finished(id);
    assert.deepEqual(countsOf(taken_back), [2, 0, 0, 0, 2]);
    assert.deepEqual([await pending(custom.subscription_id), await pending(of_all)], [null, null]);
    // The plan that was made is taken again.
    const again = await migrated(body);
    assert.deepEqual(countsOf(again), [2, 2, 0, 0, 0]);
    assert.equal((await read(`${PLANS}?customer_id=${custom.id}`)).data.length, 2);
  });

  it('leave custom plans of the target as they are', async () => {
    const { new_id } = await aRise('target');
    const on_target = await aCustomer(new_id);
    const body = { from_plan_id: 'target', to_plan_id: 'target', at: 'now', custom: true };
    assert.deepEqual(countsOf(await migrated(body)), [2, 2, 0, 0, 0]);
    assert.equal((await planOf(on_target.subscription_id)).id, on_target.plan_id);
    assert.deepEqual(countsOf(await migrated(body)), [0, 0, 0, 0, 0]);
  });

  it('from a custom plan itself move it to the target, with `custom` base it anew', async () => {
    const old_id = await plan([calls('0.10')]);
    const new_id = await plan([calls('0.12')]);
    const [ended, kept] = [await aCustomer(old_id), await aCustomer(old_id)];
    await migrated({ from_plan_id: ended.plan_id, to_plan_id: new_id, at: 'now' });
    assert.equal((await planOf(ended.subscription_id)).id, new_id);
    await migrated({ from_plan_id: kept.plan_id, to_plan_id: new_id, at: 'now', custom: true });
    assert.equal((await planOf(kept.subscription_id)).based_on, new_id);
    const base = await aCustomer(old_id);
    await migrated({ from_plan_id: base.plan_id, to_plan_id: old_id, at: 'now' });
    assert.equal((await planOf(base.subscription_id)).id, old_id);
  });

  it('to a custom plan are 409', async () => {
    const old_id = await plan([calls('0.10')]);
    const custom = await aCustomer(old_id);
    for (const dry_run of [false, true]) {
      const body = { from_plan_id: old_id, to_plan_id: custom.plan_id, at: 'now', dry_run };
      assertRefused(await post(PATH, { ...body, customer_ids: [custom.id] }), {
        ...{ code: 'conflict', param: 'to_plan_id', reason: 'invalid_state' },
      });
    }
  });
});
