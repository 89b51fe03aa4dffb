import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  namedNow,
  reminderOf,
  stepDayOf,
  type MadeReminder,
  type OpenInvoice,
  type Reminder,
  type ReminderFacts,
} from '../../../src/domain/email/reminder.ts';
import { dayAfter, dayOf } from '../../../src/domain/time/local-time.ts';
import { addMilliseconds } from '../../../src/domain/time/period.ts';

const DAYS = [-3, 1, 7, 14];
const HOUR_MS = 3_600_000;

/** An invoice of February that is due on 10 March, whose own email went at its issue. */
const anInvoice = (members: Partial<OpenInvoice> = {}): OpenInvoice => ({
  invoice_id: 'inv_1',
  due_date: '2026-03-10',
  issued_at: '2026-02-08T00:00:00.000Z',
  emailed_at: '2026-02-08T08:00:00.000Z',
  is_email_waiting: false,
  is_emailed: true,
  paused_to: null,
  ...members,
});

const facts = (members: Partial<ReminderFacts> = {}): ReminderFacts => ({
  now: '2026-03-11T00:00:00.000Z',
  timezone: 'UTC',
  email_hours: { from: 8, until: 18 },
  reminder_days: DAYS,
  invoices: [anInvoice()],
  made: [],
  ...members,
});

const madeOf = ({ day, invoice_ids }: Reminder): MadeReminder => ({ day, invoice_ids, sent_on: null });

/** The reminders of these days, looked for at the beginning of each. */
function remindersOf(
  members: Partial<ReminderFacts>,
  days: readonly string[],
  hour = '00:00',
): MadeReminder[] {
  const made: MadeReminder[] = [];
  for (const day of days) {
    const reminder = reminderOf(facts({ ...members, now: `${day}T${hour}:00.000Z`, made }));
    if (reminder !== null) made.push(madeOf(reminder));
  }
  return made;
}

const MARCH = Array.from({ length: 31 }, (_, days) => dayAfter('2026-03-01', days));
const daysOf = (made: readonly MadeReminder[]) => made.map(({ day }) => day.slice(5));

describe('the day of a step', () => {
  const CASES: [today: string, step_day: string | null][] = [
    ['2026-03-06', null],
    ['2026-03-07', '2026-03-07'],
    ['2026-03-09', '2026-03-07'],
    ['2026-03-10', null],
    ['2026-03-11', '2026-03-11'],
    ['2026-03-13', '2026-03-11'],
    ['2026-03-14', null],
    ['2026-03-26', '2026-03-24'],
    ['2026-03-27', null],
  ];
  for (const [today, step_day] of CASES)
    it(`of an invoice due on 10 March is on ${today} ${step_day ?? 'none'}`, () =>
      assert.equal(stepDayOf('2026-03-10', DAYS, today), step_day));

  it('is that of the greatest of several steps', () =>
    assert.equal(stepDayOf('2026-03-10', [0, 1, 2], '2026-03-12'), '2026-03-12'));
});

describe('the reminders of a customer', () => {
  it('of an invoice due on 10 March go on 7, 11, 17 and 24 March', () =>
    assert.deepEqual(daysOf(remindersOf({}, MARCH)), ['03-07', '03-11', '03-17', '03-24']));

  it('are passed over where workers are down from 10 to 13 March: not that of the 11th', () => {
    const up = MARCH.filter((day) => day < '2026-03-10' || day > '2026-03-13');
    assert.deepEqual(daysOf(remindersOf({}, up)), ['03-07', '03-17', '03-24']);
    const up_earlier = MARCH.filter((day) => day < '2026-03-10' || day > '2026-03-12');
    assert.deepEqual(daysOf(remindersOf({}, up_earlier)), ['03-07', '03-13', '03-17', '03-24']);
  });

  it('begin with what is due: switched on 20 March, that of the 24th alone', () =>
    assert.deepEqual(daysOf(remindersOf({}, MARCH.slice(19))), ['03-24']));

  it('name on one day all invoices with a step: due 10, 10 and 11 March, two emails', () => {
    const invoices = ['2026-03-10', '2026-03-10', '2026-03-11'].map((due_date, place) =>
      anInvoice({ invoice_id: `inv_${place}`, due_date }),
    );
    assert.deepEqual(
      remindersOf({ invoices, reminder_days: [1] }, MARCH).map(({ day, invoice_ids }) => [day, invoice_ids]),
      [
        ['2026-03-11', ['inv_0', 'inv_1']],
        ['2026-03-12', ['inv_2']],
      ],
    );
  });

  it('come 48 hours after the email of the invoice: issued and due on the 1st, step 1 on the 3rd', () => {
    const issued = { due_date: '2026-03-01', issued_at: '2026-03-01T00:00:00.000Z' };
    const days = (members: Partial<OpenInvoice>) =>
      daysOf(remindersOf({ invoices: [anInvoice({ ...issued, ...members })], reminder_days: [1] }, MARCH));
    assert.deepEqual(days({ emailed_at: '2026-03-01T08:00:00.000Z' }), ['03-03']);
    // The log has not written it yet: it goes at the next hour at which emails leave.
    assert.deepEqual(days({ emailed_at: null }), ['03-03']);
    assert.deepEqual(days({ emailed_at: null, is_emailed: false }), ['03-02']);
    assert.deepEqual(days({ emailed_at: '2026-03-03T08:00:00.000Z' }), [], 'three days are over by then');
    assert.deepEqual(days({ is_email_waiting: true }), []);
  });

  it('leave later on their day if the 48 hours are over later, and all that are named with them', () => {
    const late = anInvoice({ invoice_id: 'inv_2', emailed_at: '2026-03-09T16:30:00.000Z' });
    assert.deepEqual(reminderOf(facts({ invoices: [anInvoice(), late] })), {
      day: '2026-03-11',
      send_at: '2026-03-11T16:30:00.000Z',
      invoice_ids: ['inv_1', 'inv_2'],
    });
    const later = anInvoice({ invoice_id: 'inv_2', emailed_at: '2026-03-09T18:00:00.000Z' });
    assert.deepEqual(reminderOf(facts({ invoices: [anInvoice(), later] }))!.invoice_ids, ['inv_1']);
  });

  it('are made on their day alone: after the hours of a day there is none', () => {
    assert.deepEqual(daysOf(remindersOf({}, MARCH, '17:59')), ['03-07', '03-11', '03-17', '03-24']);
    assert.deepEqual(remindersOf({}, MARCH, '18:00'), []);
  });

  it('go by the day of the customer', () => {
    const at = (timezone: string, now: string) => {
      const reminder = reminderOf(facts({ timezone, now }));
      return reminder && [reminder.day, reminder.send_at];
    };
    // 11 March begins in Auckland 13 hours before it does in London, in New York 4 hours after that.
    assert.deepEqual(at('Pacific/Auckland', '2026-03-10T11:00:00.000Z'), [
      '2026-03-11',
      '2026-03-10T19:00:00.000Z',
    ]);
    assert.equal(at('Pacific/Auckland', '2026-03-10T10:59:59.999Z'), null);
    assert.deepEqual(at('America/New_York', '2026-03-11T04:00:00.000Z'), [
      '2026-03-11',
      '2026-03-11T12:00:00.000Z',
    ]);
    assert.equal(at('America/New_York', '2026-03-11T03:59:59.999Z'), null);
  });

  it('are none on a day on which an earlier one left', () => {
    const late = { day: '2026-03-07', sent_on: '2026-03-11', invoice_ids: ['inv_1'] };
    assert.equal(reminderOf(facts({ made: [late] })), null);
    assert.notEqual(reminderOf(facts({ made: [late], now: '2026-03-12T00:00:00.000Z' })), null);
  });

  it('pass over the steps up to the last day of a pause', () => {
    const days = (paused_to: string) =>
      daysOf(remindersOf({ invoices: [anInvoice({ paused_to })] }, MARCH.slice(11)));
    assert.deepEqual(days('2026-03-10'), ['03-12', '03-17', '03-24']);
    assert.deepEqual(days('2026-03-11'), ['03-17', '03-24']);
  });

  it('are one a day and one a step, within the hours, whenever and how often they are looked for', () => {
    const zones = fc.constantFrom('UTC', 'America/New_York', 'Pacific/Auckland', 'Asia/Kathmandu');
    const steps = fc.uniqueArray(fc.integer({ min: -30, max: 90 }), { minLength: 1, maxLength: 10 });
    const invoices = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 5 });
    const looks = fc.array(fc.integer({ min: 0, max: 60 * 24 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(zones, steps, invoices, looks, (timezone, unordered, due, hours) => {
        const reminder_days = unordered.sort((a, b) => a - b);
        const owed = due.map((days, place) =>
          anInvoice({ invoice_id: `inv_${place}`, due_date: dayAfter('2026-03-10', days) }),
        );
        const made: MadeReminder[] = [];
        for (const hour of hours.sort((a, b) => a - b)) {
          const now = addMilliseconds('2026-03-01T00:00:00.000Z', hour * HOUR_MS);
          const reminder = reminderOf(facts({ now, timezone, reminder_days, invoices: owed, made }));
          if (reminder === null) continue;
          assert.equal(dayOf(now, timezone), reminder.day);
          assert.equal(dayOf(reminder.send_at, timezone), reminder.day);
          made.push(madeOf(reminder));
        }
        assert.equal(new Set(made.map(({ day }) => day)).size, made.length, 'one a day');
        for (const { invoice_id, due_date } of owed) {
          const days = made.filter((one) => one.invoice_ids.includes(invoice_id)).map(({ day }) => day);
          const step_days = days.map((day) => stepDayOf(due_date, reminder_days, day));
          assert.equal(new Set(step_days).size, days.length, 'one a step');
          assert.ok(!step_days.includes(null));
        }
      }),
    );
  });
});

describe('the invoices that a reminder names as its turn comes', () => {
  it('are those that are still due, and without any there is a reason', () => {
    const named = (...stops: Parameters<typeof namedNow>[0][number]['stop'][]) =>
      namedNow(stops.map((stop, place) => ({ invoice_id: `inv_${place}`, stop })));
    assert.deepEqual(named('paid', null, 'void', null), { invoice_ids: ['inv_1', 'inv_3'] });
    assert.deepEqual(named('void', 'paid'), { stop: 'paid' });
    assert.deepEqual(named('void', 'void'), { stop: 'void' });
    assert.deepEqual(named('paused', 'void'), { stop: 'paused' });
    assert.deepEqual(named('muted'), { stop: 'muted' });
  });
});
