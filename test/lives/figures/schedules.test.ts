import assert from 'node:assert/strict';
import { at } from '../../support/ledger/test-customer.ts';
import { FOR_GOOD } from '../model/attempts.ts';
import { attemptsOf } from '../model/under-way.ts';
import type { Card } from '../model/collection.ts';
import { voidInvoice } from '../model/invoices.ts';
import { makeDefault } from '../model/methods.ts';
import { dueOf, payInvoice, reversePayment } from '../model/owed.ts';
import { pauseCollection, resumeCollection } from '../model/pauses.ts';
import { refund } from '../model/refunds.ts';
import {
  answer,
  dueDateOf,
  isOverdue,
  resumeSchedules,
  runSchedules,
  scheduleOf,
  tryNewDefault,
  TRY_LATER,
} from '../model/schedules.ts';
import { usd } from './model-life.ts';
import { plannedLife, type Options } from './planned-life.ts';

const DECLINED: Card = { declined: 'insufficient_funds', times: null };

/** billing.md 21. */
describe('planned charges in the model of lives', () => {
  const FIRST: [options: Options, next: string][] = [
    [{}, '03-02T10:00'],
    [{ issued: '05:00' }, '03-02T08:00'],
    [{ issued: '18:00' }, '03-03T08:00'],
    [{ settings: { charge_on: 'due_date' } }, '03-16T08:00'],
  ];
  for (const [options, next] of FIRST)
    it(`of ${JSON.stringify(options)} begin on ${next}`, () =>
      assert.equal(plannedLife(options).next(), next));

  it('pay what is due', () => {
    const life = plannedLife();
    runSchedules(life.world);
    assert.deepEqual([life.outcomes(), life.status()], [['succeeded'], 'done']);
  });

  it('are none where nothing is due, in the manual mode, or of what is older', () => {
    const life = plannedLife({ settings: { mode: 'manual' } });
    assert.equal(scheduleOf(life.world, life.invoice), undefined);
    life.world.collection.settings.mode = 'automatic';
    life.to('03-30');
    assert.deepEqual([life.outcomes(), life.status()], [[], 'none']);
  });

  it('that are declined come again after 3, 7 and 14 days', () => {
    const life = plannedLife({ card: DECLINED });
    runSchedules(life.world);
    for (const next of ['03-05T10:00', '03-09T10:00', '03-16T10:00']) {
      assert.deepEqual([life.next(), life.status()], [next, 'scheduled']);
      life.to(next);
    }
    assert.deepEqual([life.status(), life.outcomes().length], ['exhausted', 4]);
  });

  it('are all made by one advance', () => {
    const life = plannedLife({ card: DECLINED });
    life.to('03-31');
    assert.deepEqual([life.status(), life.outcomes().length], ['exhausted', 4]);
  });

  it('come at the same hour of the customer', () => {
    const settings = { retry_days: [3, 14] };
    const life = plannedLife({ card: DECLINED, timezone: 'America/New_York', issued: '15:00', settings });
    runSchedules(life.world);
    assert.equal(life.next(), '03-05T15:00');
    life.to('03-05T15:00');
    // Summer time has begun.
    assert.equal(life.next(), '03-16T14:00');
  });

  it('try later on the next day, and go on with the days after', () => {
    const life = plannedLife({ card: { declined: TRY_LATER, times: null } });
    runSchedules(life.world);
    assert.equal(life.next(), '03-03T10:00');
    life.world.collection.methods[0]!.card = DECLINED;
    life.to('03-03T10:00');
    assert.equal(life.next(), '03-05T10:00');
  });

  it('try later never later than the next day of the schedule, and not after the last', () => {
    const life = plannedLife({
      card: { declined: TRY_LATER, times: null },
      settings: { retry_days: [1] },
    });
    runSchedules(life.world);
    assert.equal(life.next(), '03-03T10:00');
    life.to('03-03T10:00');
    assert.equal(life.status(), 'exhausted');
  });

  const ENDS: [card: Card | null, status: string, outcomes: string[]][] = [
    [{ declined: FOR_GOOD, times: null }, 'exhausted', ['declined']],
    ['authentication_required', 'action_required', ['action_required']],
    ['processing', 'processing', ['processing']],
    [null, 'none', []],
  ];
  for (const [card, status, outcomes] of ENDS)
    it(`with ${JSON.stringify(card)} end as ${status}`, () => {
      const life = plannedLife({ card });
      life.to('03-10');
      assert.deepEqual([life.status(), life.outcomes()], [status, outcomes]);
    });

  it('try a new default at once, and count the days from that charge', () => {
    const life = plannedLife({ card: { declined: FOR_GOOD, times: null } });
    life.to('03-20T03:00');
    const second = life.save('Visa 1111', DECLINED);
    assert.equal(second.is_default, false);
    assert.ok(makeDefault(life.world, second));
    tryNewDefault(life.world);
    runSchedules(life.world);
    assert.deepEqual(life.outcomes(), ['declined', 'declined']);
    // At the same hour, within the hours.
    assert.equal(life.next(), '03-23T08:00');
  });

  it('try a new default on what is overdue, also without a plan', () => {
    const life = plannedLife({ settings: { mode: 'manual' }, card: null });
    life.to('03-16T23:00');
    assert.equal(dueDateOf(life.world, life.invoice), at('03-16').slice(0, 10));
    assert.ok(!isOverdue(life.world, life.invoice));
    life.to('03-17T03:00');
    life.world.collection.settings.mode = 'automatic';
    life.save('Visa 1111');
    runSchedules(life.world);
    assert.deepEqual(life.outcomes(), ['succeeded']);
  });

  it('wait for the hours with the first method of an invoice that is not overdue', () => {
    const life = plannedLife({ card: null });
    life.to('03-04T22:00');
    assert.equal(life.status(), 'none');
    life.save('Visa 1111');
    assert.equal(life.next(), '03-05T08:00');
  });

  it('leave to its day what is planned', () => {
    const life = plannedLife({ settings: { charge_on: 'due_date' }, card: null });
    life.save('Visa 1111');
    assert.equal(life.next(), '03-16T08:00');
  });

  it('wait for the end of a pause', () => {
    const life = plannedLife({ card: DECLINED });
    runSchedules(life.world);
    assert.ok(
      pauseCollection(life.world, life.invoice, { reason: 'promised', until: at('03-09').slice(0, 10) }),
    );
    assert.deepEqual([life.next(), life.status()], ['03-10T08:00', 'paused']);
    life.to('03-06T22:00');
    assert.equal(life.outcomes().length, 1);
    resumeSchedules(life.world, [life.invoice]);
    assert.ok(resumeCollection(life.world, life.invoice));
    assert.deepEqual([life.next(), life.status()], ['03-07T08:00', 'scheduled']);
  });

  it('are over once their time comes in the manual mode', () => {
    const life = plannedLife({ card: DECLINED });
    runSchedules(life.world);
    const { settings } = life.world.collection;
    settings.mode = 'manual';
    assert.equal(life.status(), 'none');
    life.to('03-04');
    settings.mode = 'automatic';
    assert.equal(life.status(), 'scheduled');
    settings.mode = 'manual';
    life.to('03-06');
    settings.mode = 'automatic';
    life.to('03-30');
    assert.equal(life.outcomes().length, 1);
  });

  /** Paid on 2 March, after a charge that was declined, and planned again for 5 March. */
  function paidLife() {
    const life = plannedLife({ card: DECLINED });
    runSchedules(life.world);
    assert.ok(payInvoice(life.world, life.invoice));
    runSchedules(life.world);
    assert.equal(life.status(), 'done');
    return life;
  }

  it('go on where the payment is reversed before their time', () => {
    const life = paidLife();
    life.to('03-05T09:59');
    assert.ok(reversePayment(life.world, life.invoice, 0));
    assert.deepEqual([life.next(), life.status()], ['03-05T10:00', 'scheduled']);
    life.to('03-05T10:00');
    assert.equal(life.outcomes().length, 2);
  });

  it('are over once their time comes while nothing is due', () => {
    const life = paidLife();
    life.to('03-05T10:00');
    assert.ok(reversePayment(life.world, life.invoice, 0));
    life.to('03-30');
    assert.equal(life.outcomes().length, 1);
  });

  it('are over at once of an invoice that is void', () => {
    const life = plannedLife({ card: DECLINED });
    runSchedules(life.world);
    assert.ok(voidInvoice(life.world, life.invoice));
    runSchedules(life.world);
    assert.deepEqual([scheduleOf(life.world, life.invoice)!.at, life.status()], [null, 'done']);
  });

  it('try nothing with a default of before the mode changed', () => {
    const life = plannedLife({ settings: { mode: 'manual' }, card: null });
    life.to('03-20');
    life.save('Visa 1111');
    life.world.collection.settings.mode = 'automatic';
    life.to('03-30');
    assert.deepEqual([life.outcomes(), life.status()], [[], 'none']);
  });

  it('make nothing of what was refunded', () => {
    const life = plannedLife();
    runSchedules(life.world);
    refund(life.world, life.invoice.payments[0]!, 3000n);
    life.to('03-30');
    assert.deepEqual([usd(dueOf(life.invoice)), life.outcomes().length], ['30.00', 1]);
  });

  for (const { answered, next } of [
    { answered: '03-04', next: '03-05T10:00' },
    { answered: '03-06', next: '03-06T08:00' },
    { answered: '03-06T09:00', next: '03-06T09:00' },
  ])
    it(`go on at ${next} after a charge of days that is declined at ${answered}`, () => {
      const life = plannedLife({ card: 'processing' });
      life.to(answered);
      answer(life.world, attemptsOf(life.world, life.invoice)[0]!, 'insufficient_funds');
      assert.equal(life.next(), next);
    });

  it('count their days from the first charge of a new default', () => {
    const life = plannedLife({ card: DECLINED });
    runSchedules(life.world);
    const second = life.save('Visa 1111', DECLINED);
    assert.ok(makeDefault(life.world, second));
    tryNewDefault(life.world);
    assert.equal(life.next(), '03-05T10:00');
    life.to('03-05T10:00');
    assert.equal(life.next(), '03-08T10:00');
  });

  it('count their days from it also where it came while a charge was under way', () => {
    const life = plannedLife({ card: 'processing' });
    runSchedules(life.world);
    assert.ok(makeDefault(life.world, life.save('Visa 1111', DECLINED)));
    tryNewDefault(life.world);
    answer(life.world, attemptsOf(life.world, life.invoice)[0]!, 'insufficient_funds');
    assert.equal(life.next(), '03-05T10:00');
    life.to('03-05T10:00');
    assert.equal(life.next(), '03-08T10:00');
  });

  it('of an overdue amount that is not chargeable wait behind a pause, and are none then', () => {
    const life = plannedLife({ settings: { mode: 'manual' }, card: null });
    life.to('03-20');
    assert.ok(payInvoice(life.world, life.invoice, { part: 9980n }));
    life.world.collection.settings.mode = 'automatic';
    assert.ok(pauseCollection(life.world, life.invoice, { reason: 'other', until: null }));
    life.save('Visa 1111');
    runSchedules(life.world);
    assert.equal(scheduleOf(life.world, life.invoice)!.status, 'scheduled');
    assert.ok(resumeCollection(life.world, life.invoice));
    runSchedules(life.world);
    assert.equal(life.status(), 'none');
  });

  it('are none for good of an amount that is not chargeable', () => {
    const life = plannedLife();
    assert.ok(payInvoice(life.world, life.invoice, { part: 9980n }));
    runSchedules(life.world);
    assert.equal(life.status(), 'none');
    assert.ok(makeDefault(life.world, life.save('Visa 1111')));
    tryNewDefault(life.world);
    assert.equal(life.status(), 'none');
  });
});
