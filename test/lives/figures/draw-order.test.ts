import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { issue, regenerateInvoice } from '../model/invoices.ts';
import { lifeOn } from './model-life.ts';
import { storeEvents } from '../model/model.ts';

const ONE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const TENTH: Pricing = { pricing_model: 'per_unit', unit_amount: '0.1' };
const OVERAGE = { pricing_model: 'credit', credits_per_unit: '1', overage_unit_amount: '1' } as const;

/** A life on two charges, the second of which bills `call`. */
function lifeOnTwo(first: Pricing, second: Pricing) {
  const life = lifeOn([first, second]);
  Object.assign(life.subscription.first_plan.charges[1]!, { event_name: 'call' });
  const call = (date: string, u: number) =>
    storeEvents(life.world, [{ event_name: 'call', timestamp: at(date), properties: { u } }]);
  return { ...life, call };
}

describe('the order of drawing credit in the model of lives', () => {
  it('is that of periods: late units take what is carried over before the usage of the month', () => {
    const life = lifeOn(ONE, { grants: [{ amount: '100', carry_over_max: '100' }] });
    life.use('01-10', 30);
    life.go('02-01');
    life.use('01-20', 20);
    life.use('02-10', 150);
    life.go('03-01');
    const lines = ['150 units, 150 credits: 0.00', '20 units, 20 credits: 0.00'];
    assert.deepEqual(life.says('02-01'), lines);
    assert.deepEqual(life.left(...life.world.grants), ['0', '0', '100']);
  });

  it('is the same in time', () => {
    const life = lifeOn(ONE, { grants: [{ amount: '100', carry_over_max: '100' }] });
    life.use('01-10', 30);
    life.use('01-20', 20);
    life.go('02-01');
    life.use('02-10', 150);
    life.go('03-01');
    assert.deepEqual(life.says('02-01'), ['150 units, 150 credits: 0.00']);
  });

  it('holds where it costs more', () => {
    const life = lifeOnTwo(TENTH, ONE);
    const grant = life.grant('20');
    life.go('02-01');
    life.use('01-20', 20);
    life.call('02-10', 20);
    life.go('03-01');
    assert.deepEqual(life.says('02-01'), [
      ...['0 units, 0 credits: 0.00', '20 units, 0 credits: 20.00'],
      '20 units, 20 credits: 0.00',
    ]);
    assert.deepEqual(life.left(grant), ['0']);
  });

  it('holds for what a draft shows, and for its issue', () => {
    const life = lifeOn(ONE);
    const grant = life.grant('20');
    life.go('02-01');
    life.use('01-20', 20);
    life.use('02-10', 15);
    life.go('03-01', true);
    const lines = ['15 units, 0 credits: 15.00', '20 units, 20 credits: 0.00'];
    assert.deepEqual(life.says('02-01'), lines);
    issue(life.world, life.invoiceOf('02-01'));
    assert.deepEqual(life.says('02-01'), lines);
    assert.deepEqual(life.left(grant), ['0']);
  });

  it('has late lines of two older periods in their order', () => {
    const life = lifeOn(ONE);
    life.grant('5');
    life.go('02-20');
    life.use('01-20', 3);
    life.go('02-28', true);
    life.use('02-10', 1);
    life.go('03-01', true);
    life.go('03-02', true);
    issue(life.world, life.invoiceOf('02-01'));
    life.use('01-21', 3);
    life.use('02-11', 3);
    life.go('04-01');
    assert.deepEqual(life.says('02-01'), ['1 units, 1 credits: 0.00', '3 units, 3 credits: 0.00']);
    const late = ['3 units, 1 credits: 2.00', '3 units, 0 credits: 3.00'];
    assert.deepEqual(life.says('03-01'), ['0 units, 0 credits: 0.00', ...late]);
  });

  it('has late lines of later periods after the own ones of an older period that is billed again', () => {
    const life = lifeOn(ONE);
    life.use('01-10', 4);
    life.use('02-10', 4);
    life.go('03-01');
    life.void('01-01');
    life.use('02-11', 4);
    // Made before both periods end, by the rule of section 4: it covers usage of either.
    const grant = life.grant('6');
    Object.assign(grant, { created_at: at('01-05') });
    const [made] = life.generate();
    assert.deepEqual(life.says(made!), ['4 units, 4 credits: 0.00', '4 units, 2 credits: 2.00']);
  });

  it('free units of a package: late units draw, and January, made again, is credited for February', () => {
    const pricing = { package_size: '1', package_amount: '5', free_units: '6' };
    const life = lifeOn({ pricing_model: 'package', ...pricing });
    const grant = life.grant('3');
    life.use('01-10', 5);
    life.go('02-01');
    life.use('01-11', 4);
    life.use('02-10', 9);
    life.go('03-01');
    assert.deepEqual(life.says('02-01'), ['9 units, 0 credits: 15.00', '4 units, 3 credits: 0.00']);
    life.use('02-11', -3);
    const made = regenerateInvoice(life.world, life.invoiceOf('01-01'))!;
    assert.deepEqual(life.says(made), ['5 units, 0 credits: 0.00', '-3 units, 0 credits: 0.00']);
    assert.deepEqual(life.notes('02-01'), ['Usage of February corrected: 15.00, 15.00 due less']);
    assert.deepEqual(life.left(grant), ['0']);
  });

  it('a line that returns in its place draws after the other late lines of older periods', () => {
    const life = lifeOn(OVERAGE);
    const grant = life.grant('5');
    life.use('01-10', 8);
    life.go('02-01');
    life.go('03-01');
    life.use('01-11', -4);
    life.use('02-10', 1);
    life.use('03-10', 2);
    life.go('04-01');
    // Returned before the first draw, the 1 would be used by February's late unit, and -3.00 would not fit beside 2.00.
    assert.deepEqual(life.says('03-01'), [
      ...['2 units, 0 credits: 2.00', '-4 units, -1 credits: -3.00', '1 units, 0 credits: 1.00'],
    ]);
    assert.deepEqual(life.left(grant), ['1']);
  });
});
