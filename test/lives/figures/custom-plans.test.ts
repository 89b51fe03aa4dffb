import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { basedAnew, customPlan } from '../model/custom-plans.ts';
import { changePlan, subscribe } from '../model/model.ts';
import { NO_PASSING } from '../model/passing.ts';
import type { CustomTerms, Plan } from '../model/plans.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';

const T: Pricing = { pricing_model: 'graduated', tiers: TIERS };

/** T with another price in its first tier. */
function cheaper(unit_amount: string, terms: Partial<CustomTerms> = {}, base: Plan = aPlan(T)): Plan {
  const [first, ...others] = TIERS;
  const fields = { tiers: [{ ...first!, unit_amount }, ...others] };
  return customPlan(base, { overrides: [{ charge: 0, fields }], ...terms });
}

/** A life from the first of April on a plan. */
function lifeWith(plan: Plan) {
  const life = lifeOn({ pricing_model: 'flat', flat_amount: '0' }, { start: at('08-01') });
  const { world } = life;
  const subscription = subscribe(world, plan, { start: at('04-01'), trial_end: null, anchor: null });
  const invoiceOf = (date: string) =>
    world.invoices.findLast(
      ({ period, subscription: its }) => its === subscription && period.start === at(date),
    )!;
  return { ...life, subscription, total: (date: string) => life.prices(invoiceOf(date)).join(' and ') };
}

describe('custom plans in the model of lives', () => {
  const FIGURES: { what: string; plan: Plan; percent?: string; is: string }[] = [
    { what: '0.08 in the first tier', plan: cheaper('0.08'), is: '72.00' },
    {
      what: 'a grant of the base of 100 units',
      ...{ plan: cheaper('0.08', {}, aPlan(T, { grants: [{ amount: '100' }] })), is: '64.00' },
    },
    {
      what: 'no grants in place of that of the base',
      ...{ plan: cheaper('0.08', { grants: [] }, aPlan(T, { grants: [{ amount: '100' }] })), is: '72.00' },
    },
    { what: 'a discount of 10 percent', plan: cheaper('0.08'), percent: '10', is: '64.80 (72.00)' },
  ];
  for (const { what, plan, percent, is } of FIGURES)
    it(`${what}, 900: ${is}`, () => {
      const life = lifeWith(plan);
      if (percent !== undefined) life.discount(percent);
      life.go('04-10');
      life.use('04-10', 900);
      life.go('05-01');
      assert.equal(life.total('04-01'), is);
    });

  it('have a price from a date on by a change', () => {
    const life = lifeWith(cheaper('0.08'));
    life.go('04-10');
    life.use('04-10', 900);
    life.go('04-16');
    const change = { ...NO_PASSING, at: at('04-16'), plan: cheaper('0.07'), settle: 'balance' } as const;
    assert.equal(changePlan(life.world, life.subscription, change), null);
    life.use('04-16', 300);
    life.go('05-01');
    assert.deepEqual(['04-01', '04-16'].map(life.total), ['72.00', '21.00']);
    life.use('04-10', 300);
    life.go('06-01');
    assert.equal(life.total('05-01'), '0.00 and 23.00');
  });

  it('are based anew where the places of the overrides are alike', () => {
    const pro = (unit_amount: string, flat_amount: string): Plan => {
      const plan = aPlan([
        { pricing_model: 'per_unit', unit_amount },
        { pricing_model: 'flat', flat_amount },
      ]);
      return {
        ...plan,
        charges: plan.charges.map((one, nth) => ({ ...one, event_name: ['use', 'fee'][nth]! })),
      };
    };
    const custom = customPlan(pro('0.1', '49'), {
      overrides: [{ charge: 0, fields: { unit_amount: '0.08' } }],
    });
    const billed = (plan: Plan) => {
      const life = lifeWith(plan);
      life.go('04-10');
      life.use('04-10', 1000);
      life.go('05-01');
      const { lines } = life.world.invoices.find(({ subscription }) => subscription === life.subscription)!;
      return usd(lines.reduce((sum, { amount }) => sum + amount, 0n));
    };
    assert.equal(billed(custom), '129.00');
    assert.equal(billed(basedAnew(custom, pro('0.12', '59'))!), '139.00');
    const swapped = pro('0.12', '59');
    assert.equal(basedAnew(custom, { ...swapped, charges: swapped.charges.toReversed() }), null);
  });

  it('have a model, a list of prices or fields in place of those of the base', () => {
    const base = aPlan(T);
    const pricingWith = (override: object) =>
      customPlan(base, { overrides: [{ charge: 0, fields: {}, ...override }] }).charges[0]!;
    const free = { pricing_model: 'package', fields: { package_size: '10', package_amount: '1' } };
    assert.equal((pricingWith(free).pricing as { free_units: string }).free_units, '0');
    const prices = [{ match: null, pricing: T }];
    assert.deepEqual(pricingWith({ prices }).division, { prices, group_by: null, parts: [] });
    assert.deepEqual(pricingWith({}).pricing, base.charges[0]!.pricing);
  });
});
