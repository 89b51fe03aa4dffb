import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at, later } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { voidInvoice } from '../model/invoices.ts';
import { advance, storeEvents } from '../model/model.ts';
import { setBillAt } from '../model/thresholds.ts';
import type { Invoice } from '../model/world.ts';
import { lifeOn } from './model-life.ts';

const T: Pricing = { pricing_model: 'graduated', tiers: TIERS };
const VOLUME: Pricing = { pricing_model: 'volume', tiers: TIERS };
const ONE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

/** A life from the first of April on T, of which the usage is billed at 100.00, on 10 April. */
function thresholdOn(pricing: Pricing | readonly Pricing[], bill_at = '100') {
  const life = lifeOn(pricing, { start: at('04-01') });
  assert.ok(setBillAt(life.world, life.subscription, bill_at));
  life.go('04-10');
  /** Usage at a time from midnight, and an advance to this time. */
  const useAt = (minutes: number, units: number) => {
    const time = later(at('04-10'), minutes * 60_000);
    storeEvents(life.world, [{ event_name: 'use', timestamp: time, properties: { u: units } }]);
    advance(life.world, later(time, 1), false);
  };
  return { ...life, useAt };
}

type Life = ReturnType<typeof thresholdOn>;

function early({ world }: Life): Invoice[] {
  return world.invoices.filter(({ period }) => period.kind === 'part' && period.cause === 'threshold');
}

function amounts(life: Life): string[] {
  return early(life).flatMap(life.prices);
}

describe('bills before the end in the model of lives', () => {
  const FIGURES: { usage: string; units: number; is: string[]; pricing?: Pricing; percent?: string }[] = [
    { usage: 'T, 999', units: 999, is: [] },
    { usage: 'T, 1,000', units: 1000, is: ['100.00'] },
    { usage: 'T, 1,000 at 10 percent off', units: 1000, percent: '10', is: [] },
    { usage: 'T, 1,123 at 10 percent off', units: 1123, percent: '10', is: ['100.04 (111.15)'] },
  ];
  for (const { usage, units, is, percent } of FIGURES)
    it(`${usage}: ${is.join() || 'nothing'}`, () => {
      const life = thresholdOn(T);
      if (percent !== undefined) life.discount(percent);
      life.useAt(600, units);
      assert.deepEqual(amounts(life), is);
    });

  it('are a part, and the rest comes at the end', () => {
    const life = thresholdOn(T);
    life.useAt(600, 1000);
    life.useAt(610, 4000);
    assert.equal(early(life).length, 1);
    life.go('05-01');
    assert.deepEqual(life.world.invoices.flatMap(life.prices), ['100.00', '205.00']);
    assert.equal(early(life).length, 1);
  });

  it('are of parts that come to the amount themselves', () => {
    const life = thresholdOn(T);
    life.useAt(600, 1000);
    life.useAt(700, 1899);
    assert.deepEqual(amounts(life), ['100.00']);
    life.useAt(701, 1);
    assert.deepEqual(amounts(life), ['100.00', '100.00']);
  });

  it('are after credit, which they draw', () => {
    const life = thresholdOn(T);
    const grant = life.grant('100');
    life.useAt(600, 1000);
    assert.deepEqual(amounts(life), []);
    life.useAt(601, 100);
    assert.deepEqual(amounts(life), ['100.00']);
    assert.deepEqual(life.left(grant), ['0']);
  });

  it('do not count flat amounts and late usage', () => {
    const fee: Pricing = { pricing_model: 'flat', flat_amount: '60' };
    const life = thresholdOn([T, fee]);
    life.useAt(600, 500);
    assert.deepEqual(amounts(life), []);
    const late = lifeOn(T, { start: at('03-01') });
    late.use('03-10', 900);
    late.go('04-02');
    late.use('03-10', 300);
    setBillAt(late.world, late.subscription, '100');
    late.use('04-02', 990);
    late.go('04-03');
    assert.deepEqual(late.world.invoices.length, 1);
  });

  it('count all charges together', () => {
    const other: Pricing = { pricing_model: 'per_unit', unit_amount: '1.00' };
    const life = thresholdOn([ONE, other]);
    life.useAt(600, 50);
    assert.deepEqual(amounts(life), ['50.00', '50.00']);
  });

  it('are at most one an hour', () => {
    const life = thresholdOn(T);
    life.useAt(600, 1000);
    life.useAt(620, 2000);
    assert.deepEqual(amounts(life), ['100.00']);
    advance(life.world, later(at('04-10'), 660 * 60_000 + 1), false);
    assert.deepEqual(amounts(life), ['100.00', '105.00']);
  });

  it('leave out a part that is void, which generate bills', () => {
    const life = thresholdOn(T);
    life.useAt(600, 1000);
    assert.ok(voidInvoice(life.world, early(life)[0]!));
    life.useAt(700, 500);
    assert.equal(early(life).length, 1);
    assert.deepEqual(life.generate().map(life.prices), [['100.00']]);
    assert.equal(early(life).length, 2);
  });

  it('are none where more usage costs less', () => {
    const life = thresholdOn(VOLUME);
    life.useAt(600, 1000);
    life.useAt(700, 1);
    assert.deepEqual(amounts(life), ['100.00']);
  });

  it('come where the clock arrives, and not where it stops in between', () => {
    const noon = later(at('04-09'), 12 * 3_600_000);
    for (const { to, is } of [
      { to: '04-20', is: ['150.00'] },
      { to: '05-01', is: [] },
    ]) {
      const life = lifeOn(ONE, { start: at('04-01') });
      setBillAt(life.world, life.subscription, '100');
      advance(life.world, noon, false);
      life.use('04-10', 150);
      life.go(to);
      assert.deepEqual(amounts({ ...life, useAt: () => undefined }), is);
    }
  });
});
