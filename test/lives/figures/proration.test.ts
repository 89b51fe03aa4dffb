import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { takeBack } from '../model/changes.ts';
import { issue } from '../model/invoices.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';
import { changePlan } from '../model/model.ts';
import { payInvoice } from '../model/owed.ts';
import type { Invoice, Passing } from '../model/world.ts';

const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };

function fee(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount, billed: 'in_advance' };
}

type Life = ReturnType<typeof lifeOn>;

/** The lines of an invoice: the days of a flat line, else the type, with the amount. */
function lines(invoice: Invoice): string[] {
  return invoice.lines.map(({ type, period: { start, end }, amount }) => {
    const days = `${start.slice(5, 10)} to ${end.slice(5, 10)}`;
    return `${type === 'flat' ? days : type}: ${usd(amount)}`;
  });
}

const NONE: Partial<Passing> = { proration: 'none' };
const FULL: Partial<Passing> = { proration: 'full' };
const RESTART: Partial<Passing> = { cycle: 'restart' };
const FIFTY = aPlan(fee('50'));

/** 20.00 in advance from 1 April on, paid, and on 16 April changed to a plan of 50.00. */
function changed(passing: Partial<Passing>, plan = FIFTY): Life {
  const life = lifeOn(fee('20'), { start: at('04-01') });
  life.go('04-02');
  payInvoice(life.world, life.openingOf('04-01'));
  life.go('04-16');
  assert.equal(life.change('04-16', plan, 'balance', passing), null);
  return life;
}

const BACK = 'Unused time from 16 to 30 April: 10.00, 10.00 to the balance';

describe('proration of a change in the model of lives', () => {
  for (const { name, passing, back, closing, next } of [
    {
      ...{ name: 'exact', passing: {}, back: [BACK], closing: ['04-16 to 05-01: 25.00'] },
      next: ['05-01 to 06-01: 50.00'],
    },
    { name: 'none', passing: NONE, back: [], closing: [], next: ['05-01 to 06-01: 50.00'] },
    {
      ...{ name: 'full', passing: FULL, back: [BACK], closing: ['04-16 to 05-01: 50.00'] },
      next: ['05-01 to 06-01: 50.00'],
    },
    {
      ...{ name: 'full with restart', passing: { ...FULL, ...RESTART }, back: [BACK] },
      ...{ closing: ['04-16 to 05-16: 50.00'], next: ['05-16 to 06-16: 50.00'] },
    },
    {
      ...{ name: 'exact with restart', passing: RESTART, back: [BACK] },
      ...{ closing: ['04-16 to 05-16: 50.00'], next: ['05-16 to 06-16: 50.00'] },
    },
  ])
    it(`${name}, 20.00 to 50.00 on 16 April`, () => {
      const life = changed(passing);
      assert.deepEqual(life.notes(life.openingOf('04-01')), back);
      assert.deepEqual(lines(life.invoiceOf('04-01')), closing);
      life.go('05-17');
      assert.deepEqual(lines(life.invoiceOf('04-16')), next);
      assert.equal(life.notes(life.openingOf('04-01')).length, back.length);
    });

  it('none and full, ended on 21 April after that', () => {
    const none = changed(NONE);
    none.go('04-21');
    none.cancel('now', 'outside');
    const note = 'Unused time from 21 to 30 April: 6.67, 6.67 outside';
    assert.deepEqual(none.notes(none.openingOf('04-01')), [note]);
    assert.deepEqual(lines(none.invoiceOf('04-16')), []);
    const full = changed(FULL);
    full.go('04-21');
    full.cancel('now');
    // The balance had 10.00 for the 50.00, so that 40.00 were due.
    const [of_full] = full.notes('04-01');
    assert.equal(of_full, 'Unused time from 21 to 30 April: 33.33, 33.33 due less');
  });

  it('none bills usage by the new plan at once, and flat amounts in arrears by exact time', () => {
    const life = lifeOn([fee('20'), USAGE, { pricing_model: 'flat', flat_amount: '30' }], {
      start: at('04-01'),
    });
    life.use('04-10', 5);
    life.use('04-20', 7);
    life.go('04-16');
    const plan = aPlan([fee('50'), { ...USAGE, unit_amount: '2' } as Pricing]);
    life.change('04-16', plan, 'balance', NONE);
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['usage: 5.00', '04-01 to 04-16: 15.00']);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['usage: 14.00', '05-01 to 06-01: 50.00']);
  });

  it('none after none runs on, and the plan between has no fee', () => {
    const life = changed(NONE);
    life.go('04-21');
    assert.equal(life.change('04-21', aPlan(fee('80')), 'balance', NONE), null);
    life.go('05-02');
    assert.deepEqual(lines(life.invoiceOf('04-16')), []);
    assert.deepEqual(lines(life.invoiceOf('04-21')), ['05-01 to 06-01: 80.00']);
    assert.deepEqual(life.notes(life.openingOf('04-01')), []);
  });

  it('exact after none ends the old fee, and begins the new one', () => {
    const life = changed(NONE);
    life.go('04-21');
    life.change('04-21', aPlan(fee('60')));
    const note = 'Unused time from 21 to 30 April: 6.67, 6.67 to the balance';
    assert.deepEqual(life.notes(life.openingOf('04-01')), [note]);
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['04-21 to 05-01: 20.00']);
  });

  it('none after full: the whole fee runs on to the boundary', () => {
    const life = changed(FULL);
    life.go('04-21');
    life.change('04-21', aPlan(fee('80')), 'balance', NONE);
    life.go('04-26');
    assert.deepEqual(life.notes('04-01'), []);
    life.cancel('now');
    // 5 of 15 days.
    assert.deepEqual(life.notes('04-01'), ['Unused time from 26 to 30 April: 16.67, 16.67 due less']);
  });

  it('none, where an end was known, is short on the invoice that closes the period with the fee', () => {
    const life = lifeOn(fee('30'), { start: at('03-01') });
    life.go('03-10');
    life.cancel('04-11');
    life.go('04-05');
    assert.deepEqual(lines(life.invoiceOf('03-01')), ['04-01 to 04-11: 10.00']);
    life.takeBackEnd();
    life.change('04-16', FIFTY, 'balance', NONE);
    life.go('04-20');
    assert.deepEqual(lines(life.invoiceOf('04-01')), []);
    life.go('05-01');
    const closing = ['05-01 to 06-01: 50.00', '04-01 to 05-01: 20.00'];
    assert.deepEqual(lines(life.invoiceOf('04-16')), closing);
  });

  it('is exact at a boundary, and until billing begins', () => {
    const life = lifeOn(fee('20'), { start: at('04-01') });
    life.go('04-01');
    life.change('05-01', FIFTY, 'balance', NONE);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['05-01 to 06-01: 50.00']);
    const trial = lifeOn(fee('20'), { trial_end: at('01-08') });
    trial.go('01-03');
    trial.change('01-05', FIFTY, 'balance', NONE);
    trial.go('01-08');
    assert.deepEqual(lines(trial.openingOf('01-08')), ['01-08 to 02-08: 50.00']);
  });

  it('scheduled is kept as it was told, and taken back', () => {
    const life = lifeOn(fee('20'), { start: at('04-01') });
    life.go('04-10');
    life.change('04-16', FIFTY, 'balance', FULL);
    takeBack(life.world, life.subscription);
    life.change('04-21', FIFTY, 'balance', NONE);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-01')), []);
    assert.deepEqual(lines(life.invoiceOf('04-21')), ['05-01 to 06-01: 50.00']);
  });

  it('in the past corrects the open period', () => {
    const life = lifeOn([fee('20'), USAGE], { start: at('04-01') });
    life.go('04-20');
    life.change('04-16', FIFTY, 'balance', NONE);
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['usage: 0.00']);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['05-01 to 06-01: 50.00']);
  });
});

describe('a change in the place of another one, in the model of lives', () => {
  it('exact in the place of none ends the old fee, by its settle, and opens the new one', () => {
    const life = changed(NONE);
    life.change('04-16', aPlan(fee('60')), 'outside');
    const note = 'Unused time from 16 to 30 April: 10.00, 10.00 outside';
    assert.deepEqual(life.notes(life.openingOf('04-01')), [note]);
    assert.deepEqual(lines(life.openingOf('04-16')), ['04-16 to 05-01: 30.00']);
  });

  it('exact in the place of none is on the draft of the closing invoice', () => {
    const life = lifeOn(fee('20'), { start: at('04-01') });
    life.go('04-10');
    life.change('04-16', FIFTY, 'balance', NONE);
    life.go('04-16', true);
    life.change('04-16', aPlan(fee('60')));
    assert.equal(life.openingOf('04-16'), undefined);
    issue(life.world, life.invoiceOf('04-01'));
    assert.deepEqual(lines(life.invoiceOf('04-01')), ['04-16 to 05-01: 30.00']);
  });

  it('none in the place of none begins its fee at the boundary', () => {
    const life = changed(NONE);
    assert.equal(life.change('04-16', aPlan(fee('60')), 'balance', NONE), null);
    assert.equal(life.openingOf('04-16'), undefined);
    life.go('05-01');
    assert.deepEqual(lines(life.invoiceOf('04-16')), ['05-01 to 06-01: 60.00']);
    assert.deepEqual(life.notes(life.openingOf('04-01')), []);
  });

  it('none is refused where the old fee has ended', () => {
    assert.equal(changed({}).change('04-16', aPlan(fee('60')), 'balance', NONE), 'not_allowed');
    const without = lifeOn(USAGE, { start: at('04-01') });
    without.go('04-16');
    without.change('04-16', FIFTY);
    assert.equal(without.change('04-16', aPlan(fee('60')), 'balance', NONE), 'not_allowed');
    const scheduled = lifeOn(fee('20'), { start: at('04-01') });
    scheduled.go('04-10');
    scheduled.change('04-16', FIFTY);
    assert.equal(scheduled.change('04-16', aPlan(fee('60')), 'balance', NONE), null);
  });

  it('full in the place of exact credits what was billed of the plan between', () => {
    const life = changed({});
    life.change('04-16', aPlan(fee('60')), 'balance', FULL);
    assert.deepEqual(life.notes('04-01'), [
      'Unused time from 16 to 30 April: 25.00, 15.00 due less, 10.00 to the balance',
    ]);
    assert.deepEqual(lines(life.openingOf('04-16')), ['04-16 to 05-01: 60.00']);
  });

  it('an end in the place of none ends the old fee there, by its own settle', () => {
    const life = changed(NONE);
    life.cancel('now', 'outside');
    const note = 'Unused time from 16 to 30 April: 10.00, 10.00 outside';
    assert.deepEqual(life.notes(life.openingOf('04-01')), [note]);
  });
});

describe('a cycle that restarts in the model of lives', () => {
  it('on 31 January is clamped as an anchor', () => {
    const life = lifeOn(fee('20'), { start: at('01-10') });
    life.go('01-31');
    life.change('01-31', FIFTY, 'balance', RESTART);
    assert.deepEqual(life.current(), { start: at('01-31'), end: at('02-28') });
    life.go('03-01');
    assert.deepEqual(life.current(), { start: at('02-28'), end: at('03-31') });
  });

  it('at a boundary, and until billing begins, is kept', () => {
    const life = lifeOn(fee('20'), { start: at('01-31') });
    life.go('02-10');
    life.change('02-28', FIFTY, 'balance', RESTART);
    life.go('03-01');
    assert.deepEqual(life.current(), { start: at('02-28'), end: at('03-31') });
    assert.equal(life.terms().anchor, null);
    const trial = lifeOn(fee('20'), { trial_end: at('01-08') });
    trial.change('01-05', FIFTY, 'balance', RESTART);
    trial.go('01-10');
    assert.deepEqual(trial.current(), { start: at('01-08'), end: at('02-08') });
  });

  it('is refused with none, as are a settle and another interval', () => {
    const life = lifeOn(fee('20'), { start: at('04-01') });
    life.go('04-10');
    const none = { proration: 'none', take_back_grants: false } as const;
    const change = { at: at('04-16'), plan: FIFTY, settle: 'balance', ...none } as const;
    for (const wrong of [
      { cycle: 'restart' as const },
      { cycle: 'keep' as const, has_settle: true },
      { cycle: 'keep' as const, plan: aPlan(fee('50'), { interval: 'week' }) },
      { cycle: 'keep' as const, plan: aPlan(fee('50'), { interval: 'week' }), at: at('05-01') },
    ])
      assert.equal(changePlan(life.world, life.subscription, { ...change, ...wrong }), 'not_allowed');
    const trial = lifeOn(fee('20'), { trial_end: at('01-08') });
    const weekly = aPlan(fee('50'), { interval: 'week' });
    assert.equal(trial.change('01-05', weekly, 'balance', NONE), 'not_allowed');
  });
});
