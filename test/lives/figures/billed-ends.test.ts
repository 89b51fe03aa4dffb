import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { creditInvoice } from '../model/credit-notes.ts';
import { expiryOf } from '../model/expiries.ts';
import { voidNote } from '../model/fee-notes.ts';
import { issue, regenerateInvoice } from '../model/invoices.ts';
import { addItem, leftItems } from '../model/items.ts';
import { aPlan, lifeOn, usd } from './model-life.ts';
import { payInvoice } from '../model/owed.ts';
import type { Settle } from '../model/world.ts';

const USAGE: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const TIER_WITH_FLAT: Pricing = {
  pricing_model: 'graduated',
  tiers: [{ up_to: null, unit_amount: '1', flat_amount: '2' }],
};
const TO_APRIL = { start: at('04-01') };

function fee(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount, billed: 'in_advance' };
}

function flat(flat_amount: string): Pricing {
  return { pricing_model: 'flat', flat_amount };
}

type Life = ReturnType<typeof lifeOn>;

/** 30.00 in advance, units at 1.00: 3 on 10 and 4 on 25 April; it is 5 May. */
function billed(): Life {
  const life = lifeOn([fee('30'), USAGE], TO_APRIL);
  life.use('04-10', 3);
  life.use('04-25', 4);
  life.go('05-05');
  return life;
}

/** All that stands net on all invoices, less what notes credit. */
function net({ world }: Life): string {
  const standing = world.invoices.filter(({ status }) => status !== 'void');
  const sum = standing.flatMap(({ lines }) => lines).reduce((all, { amount }) => all + amount, 0n);
  const notes = standing.flatMap((invoice) => invoice.notes).filter(({ is_void }) => !is_void);
  return usd(notes.reduce((left, note) => left - note.net, sum));
}

describe('an end in a period that is billed, in the model of lives', () => {
  it('is made up for by notes: fees at once, usage with the last invoice', () => {
    const life = billed();
    assert.equal(life.cancel('04-20'), null);
    const [opening, april] = [life.openingOf('04-01'), life.invoiceOf('04-01')];
    assert.deepEqual(life.notes(opening), ['Unused time from 20 to 30 April: 11.00, 11.00 due less']);
    assert.deepEqual(life.notes(april), ['Unused time from 1 to 31 May: 30.00, 30.00 due less']);
    life.go('05-25');
    const last = life.invoiceOf('04-20');
    assert.deepEqual(life.says(last), ['-4 units, 0 credits: 0.00']);
    assert.equal(life.notes(april)[1], 'Usage of April corrected: 4.00, 4.00 due less');
    assert.equal(net(life), '22.00');
    assert.equal(life.subscription.is_finished, true);
    assert.deepEqual(april.says, { start: at('04-01'), end: at('05-01') });
  });

  it('credits a flat amount in arrears also in a period in which the fee of the plan before runs on', () => {
    const life = lifeOn(USAGE, TO_APRIL);
    life.go('04-16');
    life.change('04-16', aPlan(flat('30')), 'balance', { proration: 'none' });
    life.go('05-05');
    assert.deepEqual(life.says('04-16'), ['1 units, 0 credits: 15.00']);
    life.cancel('04-21');
    assert.deepEqual(life.notes('04-16'), ['Unused time from 21 to 30 April: 10.00, 10.00 due less']);
  });

  it('has its last invoice at once where the days for late usage are over', () => {
    const life = billed();
    life.go('06-10');
    assert.equal(life.cancel('04-20'), null);
    assert.equal(net(life), '22.00');
    assert.equal(life.subscription.is_finished, true);
  });

  for (const settle of ['outside', 'none'] as Settle[])
    it(`has notes by settle ${settle}`, () => {
      const life = lifeOn([fee('30'), flat('15')], TO_APRIL);
      life.go('04-02');
      payInvoice(life.world, life.openingOf('04-01'));
      life.go('05-05');
      payInvoice(life.world, life.invoiceOf('04-01'));
      life.cancel('04-21', settle);
      const is_none = settle === 'none';
      assert.deepEqual(
        life.notes(life.openingOf('04-01')),
        is_none ? [] : ['Unused time from 21 to 30 April: 10.00, 10.00 outside'],
      );
      assert.deepEqual(
        life.notes('04-01'),
        is_none
          ? ['Unused time from 21 to 30 April: 5.00, 5.00 to the balance']
          : [
              'Unused time from 21 to 30 April: 5.00, 5.00 to the balance',
              'Unused time from 1 to 31 May: 30.00, 30.00 outside',
            ],
      );
    });

  it('leaves out periods, with their usage, their minimum and the flat of a first tier', () => {
    const tiers = [{ up_to: null, unit_amount: '1', flat_amount: '2' }];
    const life = lifeOn([{ pricing_model: 'graduated', tiers }, flat('30')], TO_APRIL);
    life.use('05-10', 5);
    life.go('06-10');
    life.cancel('04-16');
    // April, cut short: 15.00, and the flat of the tier; May: nothing.
    assert.equal(net(life), '17.00');
    assert.deepEqual(life.says('04-16'), ['-5 units, 0 credits: 0.00']);
  });

  it('at a boundary leaves the period before as it is', () => {
    const life = billed();
    life.go('06-05');
    life.cancel('05-01');
    life.go('06-06');
    assert.equal(net(life), '37.00');
    assert.deepEqual(life.notes(life.openingOf('04-01')), []);
  });

  it('drops changes of plan after it, and what they billed', () => {
    const life = lifeOn(fee('30'), TO_APRIL);
    life.go('04-16');
    life.change('04-16', aPlan([fee('60'), USAGE]));
    life.use('04-20', 7);
    life.go('05-05');
    assert.equal(net(life), '112.00');
    life.cancel('04-11');
    assert.deepEqual(life.subscription.changes, []);
    life.go('05-20');
    assert.equal(net(life), '10.00');
    assert.equal(life.subscription.full_periods.length, 1);
  });

  it('ends a fee that ran on after a change there', () => {
    const life = lifeOn(fee('30'), TO_APRIL);
    life.go('04-11');
    life.change('04-11', aPlan(fee('60')), 'balance', { proration: 'none' });
    life.go('05-05');
    life.cancel('04-16');
    assert.equal(net(life), '15.00');
    const other = lifeOn(fee('30'), TO_APRIL);
    other.go('04-11');
    other.change('04-11', aPlan(fee('60')), 'balance', { proration: 'none' });
    other.go('05-05');
    other.cancel('04-11', 'outside');
    assert.equal(net(other), '10.00');
  });

  it('in a part that was cut leaves out the later ones', () => {
    const life = lifeOn([flat('30'), USAGE], TO_APRIL);
    life.use('04-03', 1);
    life.closeNow('04-11');
    life.use('04-15', 2);
    life.go('04-20');
    assert.equal(life.cancel('04-06'), null);
    assert.deepEqual(life.notes('04-01'), ['Unused time from 6 to 10 April: 5.00, 5.00 due less']);
    life.go('05-12');
    assert.equal(net(life), '6.00');
    const other = lifeOn([flat('30'), USAGE], TO_APRIL);
    other.use('04-03', 1);
    other.closeNow('04-11');
    other.use('04-15', 2);
    other.go('05-02');
    other.cancel('04-06');
    other.go('05-12');
    assert.equal(net(other), '6.00');
  });

  it('voids grants of the plan for what is left out, and returns credit', () => {
    const life = lifeOn(USAGE, { ...TO_APRIL, grants: [{ amount: '10', carry_over_max: '5' }] });
    const own = life.grant('4');
    life.use('04-05', 2);
    life.use('04-25', 3);
    life.use('05-10', 16);
    life.go('06-05');
    assert.deepEqual(life.left(...life.world.grants), ['3', '0', '0', '10']);
    life.cancel('04-21');
    const [, april, may, june] = life.world.grants;
    assert.deepEqual([may!.is_voided, june!.is_voided], [true, true]);
    assert.equal(expiryOf(april!), at('04-21'));
    assert.deepEqual(life.says('04-21').length, 2);
    assert.deepEqual(life.left(own, april!), ['4', '8']);
    assert.equal(net(life), '0.00');
  });

  it('counts a held draft of its period anew, and voids those of what is left out', () => {
    const life = lifeOn([USAGE, flat('30')], TO_APRIL);
    life.use('04-10', 3);
    life.use('04-25', 4);
    life.go('05-01', true);
    life.use('05-10', 9);
    life.go('06-01', true);
    addItem(life.world, null, { quantity: '1', unit_amount: '5' });
    life.cancel('04-11');
    const lines = ['3 units, 0 credits: 3.00', '1 units, 0 credits: 10.00', '1 units, 0 credits: 5.00'];
    assert.deepEqual(life.says('04-01'), lines);
    assert.equal(life.invoiceOf('05-01').status, 'void');
    issue(life.world, life.invoiceOf('04-01'));
    assert.equal(net(life), '18.00');
    assert.deepEqual(leftItems(life.world, life.subscription), []);
  });

  it('leaves what is left out: it is not billed again', () => {
    const life = billed();
    const april = life.invoiceOf('04-01');
    life.go('06-02');
    const may = life.invoiceOf('05-01');
    life.cancel('04-20');
    assert.equal(regenerateInvoice(life.world, may), null);
    assert.ok(life.void('05-01'));
    assert.deepEqual(life.generate(), []);
    const made = regenerateInvoice(life.world, april)!;
    // Beside the last invoice, which has -4 units.
    assert.deepEqual(life.says(made), ['7 units, 0 credits: 3.00']);
    assert.ok(regenerateInvoice(life.world, life.openingOf('04-01')));
    assert.equal(net(life), '22.00');
  });

  it('credits what is after it also where another part of its period is void', () => {
    const life = lifeOn(USAGE, TO_APRIL);
    life.use('04-03', 1);
    life.closeNow('04-11');
    life.use('04-15', 2);
    life.use('04-25', 4);
    life.go('05-05');
    life.use('04-16', 9);
    life.void('04-01');
    life.cancel('04-20');
    life.go('05-25');
    // The 9 that are late wait with the part that is void.
    assert.deepEqual(life.says('04-20'), ['-4 units, 0 credits: 0.00']);
    assert.equal(net(life), '2.00');
  });

  it('has no late line of its period while the only invoice of that is void, nor a flat amount of a first tier', () => {
    const life = lifeOn(TIER_WITH_FLAT, TO_APRIL);
    life.use('04-10', 1);
    life.go('05-05');
    life.void('04-01');
    life.cancel('04-20');
    life.go('05-25');
    assert.equal(net(life), '0.00');
  });

  it('takes late usage before it for 35 days, and none after it', () => {
    const life = billed();
    life.cancel('04-20');
    life.use('04-12', 2);
    life.use('04-26', 5);
    life.go('05-25');
    assert.deepEqual(life.says('04-20'), ['-2 units, 0 credits: 0.00']);
    assert.equal(net(life), '24.00');
  });

  it('credits what a note of a person leaves owed once that is void', () => {
    const life = billed();
    const april = life.invoiceOf('04-01');
    creditInvoice(life.world, april, { lines: 'all', to_balance: true });
    life.cancel('04-20');
    assert.equal(april.notes.length, 1);
    assert.ok(voidNote(life.world, april, 0));
    assert.equal(life.notes(april)[1], 'Unused time from 1 to 31 May: 30.00, 30.00 due less');
  });

  it('is refused at the start of billing or before it, where that is billed, and once ended', () => {
    const life = billed();
    assert.equal(life.cancel('04-01'), 'invalid_state');
    life.cancel('04-20');
    assert.equal(life.cancel('04-15'), 'invalid_state');
  });
});
