import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { TIERS } from '../../support/ledger/tiers.ts';
import { issue, regenerateInvoice } from '../model/invoices.ts';
import { voidGrant } from '../model/grants.ts';
import { lifeOn } from './model-life.ts';

const OVERAGE = { pricing_model: 'credit', credits_per_unit: '1', overage_unit_amount: '1' } as const;
const TENTHS = volume('0.1');
const HALVES = volume('0.5');
const T: Pricing = { pricing_model: 'graduated', tiers: TIERS };

/** Volume pricing: up to 10 units at 1, above at `beyond`; all units at the price of the tier reached. */
function volume(beyond: string): Pricing {
  const tier = (up_to: string | null, unit_amount: string) => ({ up_to, unit_amount, flat_amount: null });
  return { pricing_model: 'volume', tiers: [tier('10', '1'), tier(null, beyond)] };
}

describe('the model of lives', () => {
  it('late usage that is owed back is credited, whatever the draft showed', () => {
    const life = lifeOn(TENTHS);
    life.use('01-10', 10);
    life.go('03-05');
    life.use('01-20', 1);
    life.use('03-10', 10);
    life.go('04-01', true);
    assert.deepEqual(life.says('03-01'), ['10 units, 0 credits: 10.00', '1 units, 0 credits: -8.90']);
    life.use('03-31', 1);
    issue(life.world, life.invoiceOf('03-01'));
    assert.deepEqual(life.says('03-01'), ['11 units, 0 credits: 1.10', '1 units, 0 credits: 0.00']);
    assert.deepEqual(life.notes('01-01'), ['Usage of January corrected: 8.90, 8.90 due less']);
    life.use('04-10', 10);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['10 units, 0 credits: 10.00']);
  });

  it('a void in the hold returns the credit, and owed money no longer fits', () => {
    const life = lifeOn(HALVES);
    life.use('01-10', 10);
    life.go('02-01');
    const grant = life.grant('10');
    life.use('02-10', 10);
    life.go('03-05');
    life.use('01-20', 1);
    life.use('03-10', 10);
    life.go('04-01', true);
    assert.deepEqual(life.says('03-01'), ['10 units, 0 credits: 10.00', '1 units, 0 credits: -4.50']);
    life.void('02-01');
    issue(life.world, life.invoiceOf('03-01'));
    assert.deepEqual(life.says('03-01'), ['10 units, 10 credits: 0.00', '1 units, 0 credits: 0.00']);
    assert.deepEqual(life.notes('01-01'), ['Usage of January corrected: 4.50, 4.50 due less']);
    assert.deepEqual(life.left(grant), ['0']);
  });

  for (const late of [0, 100])
    it(`the part of a void invoice waits for generate, with ${late} units that came late`, () => {
      const life = lifeOn(T, { start: at('04-01') });
      life.go('04-05');
      life.use('04-05', 900);
      assert.deepEqual(life.says(life.closeNow('04-12')), ['900 units, 0 credits: 90.00']);
      life.void('04-01');
      life.go('04-20');
      life.use('04-20', 300);
      if (late > 0) life.use('04-06', late);
      life.go('05-01');
      assert.deepEqual(life.says('04-12'), ['300 units, 0 credits: 30.00']);
      // 1,200 units cost 115.00, 1,300 units 120.00.
      const amount = late > 0 ? '90.00' : '85.00';
      assert.deepEqual(life.generate().map(life.says), [[`${900 + late} units, 0 credits: ${amount}`]]);
    });

  it('credit that shrunk units no longer need is there for the first line', () => {
    const life = lifeOn(OVERAGE);
    const grants = [life.grant('5'), life.grant('5')];
    life.use('02-10', 8);
    life.go('03-01');
    life.use('02-11', -4);
    life.use('03-10', 4);
    life.go('04-01');
    assert.deepEqual(life.says('03-01'), ['4 units, 4 credits: 0.00', '-4 units, -4 credits: 0.00']);
    // 6 units before, less 4 drawn.
    assert.deepEqual(life.left(...grants), ['0', '2']);
  });

  it('a flat amount cut often is the rounded amount up to each end less what came before', () => {
    const flat = { pricing_model: 'flat', flat_amount: '3' } as const;
    const life = lifeOn(flat, { currency: 'JPY', digits: 0, start: at('04-01') });
    const parts = ['04-06', '04-11', '04-16', '04-21', '04-26'].map(life.closeNow);
    life.void('04-06');
    life.go('05-01');
    const lines = [...parts, life.invoiceOf('04-26')].flatMap(({ lines: own }) => own);
    assert.deepEqual(
      lines.map(({ amount }) => amount),
      [1n, 0n, 1n, 0n, 1n, 0n],
    );
  });

  it('free units of a package: regenerating takes over what a late line returned', () => {
    const free = { package_size: '1000', package_amount: '30', free_units: '12' };
    const life = lifeOn({ pricing_model: 'package', ...free });
    const grant = life.grant('24');
    life.use('02-10', 36);
    life.go('03-01');
    life.use('02-11', -29);
    life.go('04-01');
    assert.deepEqual(life.left(grant), ['24']);
    const made = regenerateInvoice(life.world, life.invoiceOf('02-01'))!;
    assert.deepEqual(life.says(made), ['36 units, 24 credits: 0.00']);
    assert.deepEqual(life.left(grant), ['24']);
  });

  it('free units of a package: new credit covers what the takeover leaves of the own units', () => {
    const free = { package_size: '1000', package_amount: '30', free_units: '12' };
    const life = lifeOn({ pricing_model: 'package', ...free });
    const grant = life.grant('24');
    life.use('02-10', 36);
    life.go('03-01');
    life.use('02-11', -20);
    life.go('04-01');
    assert.deepEqual(life.left(grant), ['20']);
    const made = regenerateInvoice(life.world, life.invoiceOf('02-01'))!;
    assert.deepEqual(life.says(made), ['36 units, 24 credits: 0.00']);
    assert.deepEqual(life.left(grant), ['20']);
  });

  it('a void gives back what was drawn less what was returned since', () => {
    const life = lifeOn(OVERAGE);
    const first = life.grant('8');
    life.use('02-10', 8);
    life.go('03-01');
    life.use('02-11', -8);
    life.go('04-01');
    life.void('02-01');
    assert.deepEqual(life.left(first), ['8']);
    const second = life.grant('20');
    life.use('04-10', 16);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['16 units, 16 credits: 0.00']);
    assert.deepEqual(life.generate().map(life.says), [['8 units, 8 credits: 0.00']]);
    assert.deepEqual(life.left(first, second), ['0', '12']);
    // April has used the credit that March returned.
    assert.equal(life.void('03-01'), false);
  });

  it('voiding the invoice of a return whose draw is void changes no grant', () => {
    const life = lifeOn(OVERAGE);
    const grant = life.grant('8');
    life.use('02-10', 8);
    life.go('03-01');
    life.use('02-11', -8);
    life.go('04-01');
    life.void('02-01');
    assert.equal(life.void('03-01'), true);
    assert.deepEqual(life.left(grant), ['8']);
  });

  it('a grant voided since is no use of what was returned', () => {
    const life = lifeOn(OVERAGE);
    const grant = life.grant('8');
    life.use('02-10', 8);
    life.go('03-01');
    voidGrant(grant);
    life.use('02-11', -4);
    life.go('04-01');
    assert.deepEqual(life.says('03-01'), ['0 units, 0 credits: 0.00', '-4 units, -4 credits: 0.00']);
    assert.equal(life.void('03-01'), true);
    assert.deepEqual(life.left(grant), ['0']);
  });

  it('takes over from each grant what it returned, and draws the rest', () => {
    const life = lifeOn(OVERAGE);
    const grants = [life.grant('5'), life.grant('3')];
    life.use('02-10', 8);
    life.go('03-01');
    life.use('02-11', -4);
    life.go('04-01');
    assert.deepEqual(life.left(...grants), ['1', '3']);
    life.void('02-01');
    assert.deepEqual(life.left(...grants), ['5', '3']);
    life.use('04-10', 5);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['5 units, 5 credits: 0.00']);
    // Takes over 1 and 3 and draws 3. February's lines together are 4 units, 3 credits and 1.00.
    assert.deepEqual(life.generate().map(life.says), [['8 units, 7 credits: 1.00']]);
    assert.deepEqual(life.left(...grants), ['0', '0']);
  });

  it('a line that fits only while nobody uses what it returns, returns it in its place', () => {
    const life = lifeOn(OVERAGE);
    const grant = life.grant('5');
    life.use('02-10', 8);
    life.go('03-01');
    assert.deepEqual(life.says('02-01'), ['8 units, 5 credits: 3.00']);
    life.use('02-11', -4);
    life.use('03-10', 3);
    life.go('04-01');
    assert.deepEqual(life.says('03-01'), ['3 units, 0 credits: 3.00', '-4 units, -1 credits: -3.00']);
    assert.deepEqual(life.left(grant), ['1']);
  });

  const RETURNS = [
    // If both lines return before the first draw, March is 2.00 and neither fits. If only the second does, March is 3.00 and the
    // second does not fit.
    { used: 4, march: '4 units, 0 credits: 4.00', left: ['1', '1'] },
    // If both lines return before the first draw, March is 4.00: the first fits, the second does not.
    { used: 6, march: '6 units, 1 credits: 5.00', left: ['0', '1'] },
  ];
  for (const { used, march, left } of RETURNS)
    it(`of two lines that return, the first that is not made returns in its place: ${used} units in March`, () => {
      const life = lifeOn(OVERAGE);
      const first = life.grant('5');
      life.use('01-10', 8);
      life.go('02-01');
      const second = life.grant('5');
      life.use('02-10', 8);
      life.go('03-01');
      life.use('01-11', -4);
      life.use('02-11', -4);
      life.use('03-10', used);
      life.go('04-01');
      const late = ['-4 units, -1 credits: -3.00', '-4 units, -1 credits: 0.00'];
      assert.deepEqual(life.says('03-01'), [march, ...late]);
      assert.deepEqual(life.left(first, second), left);
    });
});
