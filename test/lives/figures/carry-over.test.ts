import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { carryOverUntil } from '../model/expiries.ts';
import { voidGrant } from '../model/grants.ts';
import { regenerateInvoice } from '../model/invoices.ts';
import { aPlan, lifeOn } from './model-life.ts';
import { storeEvents } from '../model/model.ts';

const CENTS: Pricing = { pricing_model: 'per_unit', unit_amount: '0.01' };
const ONES: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const TO_APRIL = { start: at('04-01') };
const CARRIED = { amount: '1000', carry_over_max: '500' };

type Life = ReturnType<typeof lifeOn>;

/** A life with 1,000 a month, 500 carried over, up to the start of a month; uses are by day. */
function carrying(uses: Record<string, number>, until: string): Life {
  const life = lifeOn(CENTS, { ...TO_APRIL, grants: [CARRIED] });
  for (const [date, units] of Object.entries(uses)) {
    life.go(date);
    life.use(date, units);
  }
  life.go(until);
  return life;
}

describe('carry-over in the model of lives', () => {
  for (const { uses, until, last, left } of [
    {
      uses: { '04-10': 700, '05-10': 1500 },
      until: '06-01',
      last: '1500 units, 1300 credits: 2.00',
      left: ['0', '0', '1000'],
    },
    {
      uses: { '04-10': 100, '05-10': 1500 },
      until: '06-01',
      last: '1500 units, 1500 credits: 0.00',
      left: ['400', '0', '1000'],
    },
    {
      uses: { '04-10': 100, '06-10': 1500 },
      until: '07-01',
      last: '1500 units, 1500 credits: 0.00',
      left: ['900', '500', '0', '1000'],
    },
  ])
    it(`of 500 from 1,000 a month, with ${JSON.stringify(uses)}`, () => {
      const life = carrying(uses, until);
      const invoice = life.world.invoices.at(-1)!;
      assert.deepEqual(life.says(invoice), [last]);
      assert.deepEqual(life.left(...life.world.grants), left);
    });

  it('comes before the grants of that period', () => {
    const life = carrying({ '04-10': 700, '05-10': 200 }, '06-01');
    assert.deepEqual(life.left(...life.world.grants), ['100', '1000', '1000']);
  });

  it('lasts until the end of the next full period as it really runs', () => {
    const life = carrying({ '04-10': 700 }, '04-20');
    const [grant] = life.world.grants;
    assert.equal(carryOverUntil(grant!), null);
    life.go('05-02');
    assert.equal(carryOverUntil(grant!), at('06-01'));
    life.change('05-16', aPlan(CENTS));
    assert.equal(carryOverUntil(grant!), at('05-16'));
    life.go('05-20');
    life.use('05-17', 50);
    life.go('06-01');
    // The plan of the second half of May has no grants, and only those of the first half are carried over to it.
    assert.deepEqual(life.left(...life.world.grants), ['300', '950']);
  });

  it('is to the next full period whatever its plan, also after a change in the past', () => {
    const life = carrying({ '04-10': 100 }, '04-20');
    life.use('04-18', 800);
    life.change('04-16', aPlan(CENTS));
    life.go('05-01');
    assert.deepEqual(life.says('04-16'), ['800 units, 500 credits: 3.00']);
    assert.deepEqual(life.left(...life.world.grants), ['400']);
  });

  it('is to the plan that is exchanged in', () => {
    const life = carrying({ '04-10': 700 }, '05-01');
    life.change('05-01', aPlan(CENTS));
    life.use('05-05', 400);
    life.go('06-01');
    assert.deepEqual(life.says('05-01'), ['400 units, 300 credits: 1.00']);
  });

  it('ends with the own expiry where no period follows', () => {
    const life = carrying({ '04-10': 700 }, '04-20');
    life.cancel('05-01');
    life.go('05-02');
    const [grant] = life.world.grants;
    assert.equal(carryOverUntil(grant!), at('05-01'));
    const other = carrying({ '04-10': 700 }, '05-10');
    other.cancel('05-01');
    assert.equal(carryOverUntil(other.world.grants[0]!), at('05-01'));
  });

  it('is limited over all charges, late lines and invoices that are made again', () => {
    const life = lifeOn([ONES, ONES], { ...TO_APRIL, grants: [CARRIED] });
    const [, second] = life.subscription.first_plan.charges;
    Object.assign(second!, { event_name: 'call' });
    life.go('05-01');
    voidGrant(life.world.grants[1]!);
    life.use('05-05', 300);
    storeEvents(life.world, [{ event_name: 'call', timestamp: at('05-06'), properties: { u: 300 } }]);
    life.go('06-01');
    const both = ['300 units, 300 credits: 0.00', '300 units, 200 credits: 100.00'];
    assert.deepEqual(life.says('05-01'), both);
    life.use('05-07', 10);
    life.go('07-01');
    assert.deepEqual(life.says('06-01').at(-1), '10 units, 0 credits: 10.00');
    // Without the late ten it would be the same: the limit is that of the period, not of the invoice.
    assert.deepEqual(life.says(regenerateInvoice(life.world, life.invoiceOf('05-01'))!), both);
    assert.deepEqual(life.left(life.world.grants[0]!), ['500']);
  });

  it('leaves the rest to late usage of its own period', () => {
    const life = carrying({ '04-10': 100, '05-10': 1500 }, '05-20');
    life.use('04-11', 100);
    life.go('06-01');
    assert.deepEqual(life.says('05-01'), ['1500 units, 1500 credits: 0.00', '100 units, 100 credits: 0.00']);
    assert.deepEqual(life.left(...life.world.grants), ['300', '0', '1000']);
  });
});
