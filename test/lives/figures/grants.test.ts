import assert from 'node:assert/strict';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import { at } from '../../support/ledger/test-customer.ts';
import { expiryOf } from '../model/expiries.ts';
import { makeGrant } from '../model/grants.ts';
import { aPlan, lifeOn } from './model-life.ts';
import { storeEvents, subscribe } from '../model/model.ts';
import type { PlanGrant } from '../model/world.ts';

const ONES: Pricing = { pricing_model: 'per_unit', unit_amount: '1' };
const TO_APRIL = { start: at('04-01') };

type Life = ReturnType<typeof lifeOn>;

/** A monthly plan from April on, with some grants. */
function lifeWith(grants: readonly Partial<PlanGrant>[]): Life {
  return lifeOn(ONES, { ...TO_APRIL, grants });
}

/** The grants by age: what is left of each, and when it expires. */
function shown(life: Life): string[] {
  const { grants } = life.world;
  return grants.map((grant) => {
    const [left] = life.left(grant);
    return `${left} until ${expiryOf(grant)?.slice(5, 10)}${grant.is_voided ? ', void' : ''}`;
  });
}

describe('grants for one thing in the model of lives', () => {
  it('cover the charges of their event names alone', () => {
    const life = lifeOn([ONES, ONES], TO_APRIL);
    const [, second] = life.subscription.first_plan.charges;
    Object.assign(second!, { event_name: 'call' });
    const grant = life.grant('10', true, { event_names: ['call'] });
    life.use('04-05', 4);
    storeEvents(life.world, [{ event_name: 'call', timestamp: at('04-05'), properties: { u: 3 } }]);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['4 units, 0 credits: 4.00', '3 units, 3 credits: 0.00']);
    assert.deepEqual(life.left(grant), ['7']);
  });

  it('cover their subscription alone, and expire with its period', () => {
    const life = lifeOn(ONES, TO_APRIL);
    const plan = aPlan(ONES, { interval: 'year' });
    const dates = { start: at('04-01'), trial_end: null, anchor: null };
    const other = subscribe(life.world, plan, dates);
    life.go('04-02');
    const [bound, free] = [
      life.grant('10', false, { subscription: life.subscription }),
      life.grant('10', false),
    ];
    assert.deepEqual([expiryOf(bound), expiryOf(free)], [at('05-01'), at('04-01', 1)]);
    const of_other = life.grant('10', false, { subscription: other });
    life.use('04-05', 12);
    life.go('05-01');
    assert.deepEqual(life.says('04-01'), ['12 units, 12 credits: 0.00']);
    assert.deepEqual(life.left(bound, free, of_other), ['0', '8', '10']);
  });

  it('are drawn by expiry, then names, then a subscription, then without rollover, then age', () => {
    const life = lifeOn(ONES, TO_APRIL);
    life.go('04-02');
    const { subscription } = life;
    const terms = { amount: '1', expires_in_days: 10, event_names: null, subscription: null, note: null };
    const make = (some: object) => makeGrant(life.world, { ...terms, rollover: true, ...some })!;
    const grants = [
      ...[make({}), make({ rollover: false }), make({ subscription }), make({ event_names: ['use'] })],
      ...[make({ event_names: ['use'], subscription }), make({ expires_in_days: 9 })],
      ...[make({ expires_in_days: null })],
    ];
    const order = () => life.left(...grants).join('');
    const seen = [];
    for (let used = 0; used <= grants.length; used++) {
      seen.push(order());
      life.use('04-05', 1);
      life.closeNow(`04-05T0${used + 1}:00`);
    }
    assert.deepEqual(seen, [
      ...['1111111', '1111101', '1111001', '1110001', '1100001', '1000001', '0000001', '0000000'],
    ]);
  });

  it('take over and return what they cover', () => {
    const life = lifeOn(ONES, TO_APRIL);
    const grant = life.grant('8', true, { event_names: ['use'], subscription: life.subscription });
    const other = life.grant('8', true, { event_names: ['other'] });
    life.use('04-05', 8);
    life.go('05-01');
    life.use('04-06', -4);
    life.go('06-01');
    life.void('04-01');
    assert.deepEqual(life.left(grant, other), ['8', '8']);
    assert.deepEqual(life.generate().map(life.says), [['8 units, 8 credits: 0.00']]);
    assert.deepEqual(life.left(grant, other), ['4', '8']);
  });

  it('are refused for a subscription that has ended', () => {
    const life = lifeOn(ONES, TO_APRIL);
    life.go('04-10');
    life.cancel('now');
    const limits = { event_names: null, subscription: life.subscription, note: null };
    assert.equal(
      makeGrant(life.world, { amount: '1', rollover: true, expires_in_days: null, ...limits }),
      null,
    );
  });
});

describe('grants of a plan in the model of lives', () => {
  it('are made as each full period begins, also in catch-up, and are bound', () => {
    const life = lifeWith([{ amount: '10' }, { amount: '3', expires: { days: 40 } }]);
    life.go('05-02');
    const { grants } = life.world;
    assert.deepEqual(
      grants.map(({ created_at }) => created_at),
      [at('04-01'), at('04-01'), at('05-01'), at('05-01')],
    );
    assert.ok(grants.every(({ subscription }) => subscription === life.subscription));
    assert.deepEqual(shown(life), ['10 until 05-01', '3 until 05-11', '10 until 06-01', '3 until 06-10']);
    const late = lifeOn(ONES, { start: at('01-01') });
    late.go('03-05');
    subscribe(late.world, aPlan(ONES, { grants: [{ amount: '10' }] }), {
      ...{ start: at('01-02'), trial_end: null, anchor: null },
    });
    assert.deepEqual(
      late.world.grants.map(({ created_at }) => created_at),
      [at('01-02'), at('02-02'), at('03-02')],
    );
  });

  it('are whole for a short period, and a trial and a cut make none', () => {
    const life = lifeOn(ONES, { trial_end: at('01-08'), grants: [{ amount: '10' }] });
    life.go('01-07');
    assert.deepEqual(shown(life), []);
    life.closeNow('01-20');
    assert.deepEqual(shown(life), ['10 until 02-08']);
    life.change('01-25', aPlan(ONES, { grants: [{ amount: '7' }] }));
    life.go('01-25');
    assert.deepEqual(shown(life), ['10 until 01-25', '7 until 02-08']);
  });

  it('expire with the full period as it really runs', () => {
    const life = lifeWith([{ amount: '10' }]);
    life.go('04-10');
    life.cancel('04-21');
    assert.deepEqual(shown(life), ['10 until 04-21']);
    life.cancel('04-26');
    assert.deepEqual(shown(life), ['10 until 04-26']);
    life.change('04-16', aPlan(ONES));
    assert.deepEqual(shown(life), ['10 until 04-16']);
    life.change('04-18', life.subscription.changes[0]!.plan);
    assert.deepEqual(shown(life), ['10 until 04-18']);
    life.takeBackEnd();
    life.go('05-01');
    assert.deepEqual(shown(life), ['10 until 04-18']);
  });

  it('are voided where another plan is exchanged at the start, or the subscription ends there', () => {
    const life = lifeWith([{ amount: '10' }, { amount: '3', expires: { days: 40 } }]);
    life.go('04-05');
    life.change('04-01', aPlan(ONES, { grants: [{ amount: '7' }] }));
    assert.deepEqual(life.left(...life.world.grants), ['0', '0', '7']);
    life.go('05-02');
    life.cancel('05-01');
    assert.deepEqual(
      life.world.grants.map(({ is_voided }) => is_voided),
      [true, true, false, true],
    );
  });

  it('stay where what is left after a cut is exchanged, and the new plan has its own', () => {
    const life = lifeWith([{ amount: '10' }]);
    life.closeNow('04-11');
    life.change('04-11', aPlan(ONES, { grants: [{ amount: '7' }] }));
    assert.deepEqual(shown(life), ['10 until 04-11', '7 until 05-01']);
  });

  it('cover no usage of an earlier period', () => {
    const life = lifeWith([{ amount: '10', expires: { days: 40 } }]);
    life.use('04-05', 25);
    life.go('05-02');
    life.use('05-05', 4);
    life.use('05-20', 4);
    life.go('06-01');
    assert.deepEqual(life.says('04-01'), ['25 units, 10 credits: 15.00']);
    assert.deepEqual(life.says('05-01'), ['8 units, 8 credits: 0.00']);
    assert.deepEqual(shown(life)[0], '0 until 05-11');
  });
});
