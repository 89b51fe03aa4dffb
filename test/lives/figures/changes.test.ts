import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { pendingChange } from '../model/changes.ts';
import { regenerateInvoice } from '../model/invoices.ts';
import { aPlan, lifeOn } from './model-life.ts';
import { NO_PASSING } from '../model/passing.ts';

const T: Pricing = { pricing_model: 'graduated', tiers: TIERS };
const TO_APRIL = { start: at('04-01') };

function fee(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount };
}

function perUnit(unit_amount: string): Pricing {
  return { pricing_model: 'per_unit', unit_amount };
}

function span(start: string, end: string, years = 0): string {
  return `${at(start)} to ${at(end, years)}`;
}

describe('a change of plan in the model of lives', () => {
  it('splits fees by exact time', () => {
    const life = lifeOn(fee('49'), TO_APRIL);
    life.go('04-16');
    life.change('04-16', aPlan(fee('199')));
    life.go('06-01');
    assert.deepEqual(life.says('04-01'), ['1 units, 0 credits: 24.50']);
    assert.deepEqual(life.says('04-16'), ['1 units, 0 credits: 99.50']);
    assert.deepEqual(life.says('05-01'), ['1 units, 0 credits: 199.00']);
  });

  it('begins free units at zero', () => {
    const life = lifeOn(perUnit('0.01'), TO_APRIL);
    life.go('04-16');
    life.use('04-10', 700);
    const tier = { flat_amount: null };
    const tiers = [
      { ...tier, up_to: '1000', unit_amount: '0' },
      { ...tier, up_to: null, unit_amount: '0.01' },
    ];
    life.change('04-16', aPlan({ pricing_model: 'graduated', tiers }));
    life.use('04-16', 700);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['700 units, 0 credits: 7.00']);
    assert.deepEqual(life.says('04-16'), ['700 units, 0 credits: 0.00']);
  });

  it('begins tiers at zero; late usage of the old part is on the next invoice, by the old plan', () => {
    const life = lifeOn(T, TO_APRIL);
    life.use('04-10', 900);
    life.go('04-16');
    life.change('04-16', aPlan(T));
    life.use('04-16', 300);
    life.use('04-10', 300);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['900 units, 0 credits: 90.00']);
    assert.deepEqual(life.says('04-16'), ['300 units, 0 credits: 30.00', '300 units, 0 credits: 25.00']);
    const made = regenerateInvoice(life.world, life.invoiceOf('04-01'))!;
    assert.deepEqual(life.says(made), ['900 units, 0 credits: 90.00']);
  });

  it('takes late usage of the old part for 35 days from its end', () => {
    const life = lifeOn(T, TO_APRIL);
    life.go('04-16');
    life.change('04-16', aPlan(fee('10')));
    life.go('05-21');
    life.use('04-10', 300);
    life.go('06-01');
    assert.deepEqual(life.says('05-01'), ['1 units, 0 credits: 10.00']);
  });

  it('from a month to a year makes the instant the anchor', () => {
    const life = lifeOn(fee('49'), TO_APRIL);
    life.go('04-16');
    life.change('04-16', aPlan(fee('490'), { interval: 'year' }));
    assert.deepEqual(life.current(), { start: at('04-16'), end: at('04-16', 1) });
    assert.equal(life.terms().anchor, at('04-16'));
  });

  it('on 31 January to two months clamps from there, in the zone of the subscription', () => {
    const life = lifeOn(fee('49'), { timezone: 'Europe/Berlin' });
    life.go('01-30T23:00');
    const plan = aPlan(fee('90'), { interval_count: 2 });
    life.change('01-30T23:00', plan);
    life.go('04-15');
    life.change('04-15', aPlan(fee('49')));
    life.go('04-15T01:00');
    assert.deepEqual(life.billed(), [
      span('01-01', '01-30T23:00'),
      span('01-30T23:00', '03-30T22:00'),
      span('03-30T22:00', '04-15'),
    ]);
  });

  it('at the start of a period ends nothing', () => {
    const life = lifeOn(fee('49'));
    life.go('02-01');
    const year = aPlan(fee('490'), { interval: 'year' });
    life.change('02-01', year);
    life.go('02-10');
    assert.deepEqual(life.billed(), [span('01-01', '02-01')]);
    assert.deepEqual(life.current(), { start: at('02-01'), end: at('02-01', 1) });
  });

  it('at the start of what close_now left makes that a period of its own', () => {
    const life = lifeOn(T, TO_APRIL);
    life.use('04-05', 900);
    life.closeNow('04-11');
    const grant = life.grant('1000');
    life.change('04-11', aPlan(T));
    life.use('04-11', 300);
    life.use('04-06', 300);
    life.go('05-01');
    assert.deepEqual(life.billed(), [span('04-01', '04-11'), span('04-11', '05-01')]);
    // The grant was made at the change and covers none of the late 300.
    assert.deepEqual(life.says('04-11'), ['300 units, 300 credits: 0.00', '300 units, 0 credits: 25.00']);
    assert.deepEqual(life.left(grant), ['700']);
  });

  it('in a trial exchanges the plan: its dates stay, with the new intervals', () => {
    const life = lifeOn(fee('49'), { trial_end: at('01-08') });
    life.go('01-03');
    assert.equal(life.change('01-05', aPlan(fee('10'), { interval: 'week' })), null);
    life.go('01-15');
    assert.deepEqual(life.billed(), [span('01-08', '01-15')]);
    assert.equal(life.terms().anchor, null);
  });

  it('in the past corrects the open period', () => {
    const life = lifeOn(perUnit('1'), TO_APRIL);
    life.use('04-05', 5);
    life.use('04-12', 7);
    life.go('04-20');
    life.change('04-11', aPlan(perUnit('10'), { interval: 'week' }));
    assert.deepEqual(life.billed(), [span('04-01', '04-11'), span('04-11', '04-18')]);
    assert.deepEqual(life.says('04-01'), ['5 units, 0 credits: 5.00']);
    assert.deepEqual(life.says('04-11'), ['7 units, 0 credits: 70.00']);
    assert.equal(life.change('04-17', aPlan(perUnit('2'))), 'invalid_state');
  });

  it('is scheduled once; the next one replaces it, a cancellation drops it', () => {
    const life = lifeOn(fee('49'), TO_APRIL);
    const [one, other] = [aPlan(fee('10')), aPlan(fee('20'))];
    life.go('04-10');
    life.change('04-16', one);
    life.change('04-21', other);
    const pending = () => pendingChange(life.subscription, life.world.now);
    assert.deepEqual(pending(), { at: at('04-21'), plan: other, settle: 'balance', ...NO_PASSING });
    life.change('04-10', one);
    assert.equal(pending(), null);
    life.change('05-01', other);
    life.cancel('period_end');
    assert.equal(pending(), null);
    assert.equal(life.change('05-01', other), 'invalid_state');
    life.go('06-05');
    assert.deepEqual(life.billed(), [span('04-01', '04-10'), span('04-10', '05-01')]);
  });

  it('leaves the expiry of a grant, and a grant that is made later covers nothing before', () => {
    const life = lifeOn(perUnit('1'), TO_APRIL);
    life.go('04-10');
    life.change('04-16', aPlan(perUnit('1')));
    const before = life.grant('3', false);
    assert.equal(before.expires_at, at('05-01'));
    life.use('04-10', 5);
    life.go('04-16');
    const after = life.grant('10', false);
    regenerateInvoice(life.world, life.invoiceOf('04-01'));
    assert.deepEqual(life.says('04-01'), ['5 units, 3 credits: 2.00']);
    assert.deepEqual(life.left(before, after), ['0', '10']);
  });

  it('is refused where nothing would change, out of range, or before the open period', () => {
    const life = lifeOn(fee('49'), TO_APRIL);
    life.go('05-10');
    assert.equal(life.change('05-10', life.subscription.first_plan), 'invalid_state');
    assert.equal(life.change('04-30', aPlan(fee('10'))), 'invalid_state');
    assert.equal(life.change('04-01', aPlan(fee('10'))), 'out_of_range');
    life.cancel('now');
    assert.equal(life.change('05-10', aPlan(fee('10'))), 'invalid_state');
  });
});
