import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregateUsage } from '../../src/billing/close/draft.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { transaction, type Pool } from '../../src/db/connection/pool.ts';
import { billingParameters, eventBillings } from '../../src/db/reports/event-billing.ts';
import { readSubscriptionFacts } from '../../src/db/reports/subscription-facts.ts';
import { findOpenPeriod } from '../../src/db/subscriptions/periods.ts';
import { CAUSES, type Cause } from '../../src/domain/usage/billing-cause.ts';
import { CAUSE_ORDER, causeOfDay, type DayEvents } from '../../src/domain/usage/day-cause.ts';
import * as given from '../support/ledger/billing.ts';

const sum = { type: 'sum', property: 'n' } as const;
const PLANS: given.TestCharge[][] = [
  [{ pricing: given.PER_UNIT }, { pricing: given.PER_UNIT, event_name: 'bytes', aggregation: sum }],
  [{ pricing: given.GRADUATED, filters: { region: ['eu'] } }, { pricing: given.PER_UNIT }],
  [{ pricing: given.PER_UNIT, aggregation: { type: 'unique', property: 'n' }, event_name: 'bytes' }],
];

const instant = (days: number) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString();
const someDays = (...days: number[]) => fc.constantFrom(...days).map(instant);
const anEvent: fc.Arbitrary<given.TestEvent> = fc.record({
  event_name: fc.constantFrom('api_call', 'bytes', 'unheard'),
  timestamp: someDays(0, 9, 10, 30, 31, 40),
  // January's late usage ends on day 66, February's on day 94.
  created_at: someDays(40, 65, 66, 94),
  properties: fc.record(
    { n: fc.constantFrom<unknown>(1, 'many'), region: fc.constantFrom('eu', 'us') },
    { requiredKeys: [] },
  ),
});
const someEvents = fc.array(anEvent, { minLength: 1, maxLength: 15 });
const aSubscription = fc.record({
  plan: fc.nat(PLANS.length - 1),
  start_date: someDays(0, 0, 10),
  trial_end_date: fc.constantFrom(null, null, null, instant(20), instant(31)),
  cancel_at: fc.constantFrom(null, null, null, instant(30), instant(40)),
  act: fc.constantFrom('bill', 'bill', 'draft', 'void', 'nothing'),
});

type Subscribed = typeof aSubscription extends fc.Arbitrary<infer S> ? S : never;

const eventOn = (days: number, stored_at: number): given.TestEvent => ({
  ...{ event_name: 'api_call', timestamp: instant(days), created_at: instant(stored_at), properties: {} },
});
const subscribed = (parts: Partial<Subscribed>): Subscribed[] => [
  { plan: 0, start_date: instant(0), trial_end_date: null, cancel_at: null, act: 'bill', ...parts },
];
type Lived = [subscriptions: Subscribed[], before: given.TestEvent[], after: given.TestEvent[]];
/** Lives that together have each cause that a day alone decides. */
const EXAMPLES: Lived[] = [
  // Of February, which is open; of January once it is billed, in its days for late usage and after them.
  [subscribed({}), [eventOn(9, 40)], [eventOn(40, 40)]],
  [subscribed({}), [], [eventOn(9, 65)]],
  [subscribed({}), [], [eventOn(9, 94)]],
  [subscribed({ act: 'void' }), [eventOn(9, 40)], []],
  [subscribed({ act: 'nothing', trial_end_date: instant(20) }), [eventOn(9, 40)], []],
  [subscribed({ act: 'nothing', start_date: instant(10) }), [eventOn(9, 40)], []],
];
type EventRow = Omit<DayEvents, 'ends_at' | 'last_stored_at' | 'first'> & { cause: Cause };

describe('an event that is judged as a day of one event', function () {
  this.timeout(300_000);
  let pool: Pool;
  let plans: string[];
  before(async () => {
    pool = await given.aLedger();
    plans = await Promise.all(PLANS.map((charges) => given.aPlan(pool, charges)));
  });
  after(() => pool.end());

  async function bill(subscription_id: string, act: Subscribed['act']): Promise<void> {
    if (act === 'nothing') return;
    const { period_start } = (await findOpenPeriod(pool, { environment_id: given.LIVE, subscription_id }))!;
    const step = { ...given.stepOf(subscription_id), period_start };
    if (act === 'draft')
      return void (await transaction(pool, (db) => aggregateUsage(db, step, given.NO_GRACE)));
    const { id } = await given.bill(pool, step);
    if (act === 'void') await transaction(pool, (db) => voidInvoice(db, given.LIVE, id, null));
  }

  /** Reads what the SQL says of each event, and what the domain does not know of a day without its events. */
  async function eventsOf(scope: Parameters<typeof billingParameters>[0]): Promise<EventRow[]> {
    const { rows } = await pool.query<EventRow>(
      `${eventBillings()}, caused as (
         select event_id, min(array_position($6::text[], cause)) as place from billing group by event_id
       )
       select e.event_name, e.timestamp as starts_at, e.created_at as first_stored_at, e.epoch as last_epoch, e.created_xid::text as last_xid,
         array(select key from jsonb_each(e.properties) where event_number(value) is not null) as numbers,
         ($6::text[])[place] as cause
       from caused join events e on e.id = event_id`,
      [...billingParameters(scope), CAUSES],
    );
    return rows;
  }

  it('has the cause that the SQL for many events gives, or must be read', async () => {
    const decided = new Map<Cause, number>();
    const lives = fc.tuple(fc.array(aSubscription, { maxLength: 2 }), someEvents, someEvents);
    await fc.assert(
      fc.asyncProperty(lives, async ([subscriptions, before, after]) => {
        const customer = await given.aCustomer(pool);
        const ids: string[] = [];
        for (const { plan, start_date } of subscriptions)
          ids.push(await given.aSubscription(pool, customer, plans[plan]!, start_date));
        await given.post(pool, customer, before);
        for (const [at, { act }] of subscriptions.entries()) await bill(ids[at]!, act);
        await given.post(pool, customer, after);
        for (const [at, { trial_end_date, cancel_at }] of subscriptions.entries())
          await pool.query('update subscriptions set trial_end_date = $2, cancel_at = $3 where id = $1', [
            ids[at],
            trial_end_date,
            cancel_at,
          ]);
        const range = { from: instant(0), to: instant(60), late_usage_days: 35 };
        const scope = { environment_id: given.LIVE, customer_keys: [customer.key], ...range };
        const facts = (await readSubscriptionFacts(pool, scope)).get(customer.key) ?? [];
        for (const { cause, ...event } of await eventsOf(scope)) {
          const ends_at = new Date(Date.parse(event.starts_at) + 1).toISOString();
          const first = { epoch: event.last_epoch, xid: event.last_xid };
          const found = causeOfDay(
            { ...event, ends_at, last_stored_at: event.first_stored_at, first },
            facts,
          );
          if (found === null) continue;
          assert.equal(found, cause);
          decided.set(cause, (decided.get(cause) ?? 0) + 1);
        }
      }),
      { numRuns: 100, examples: EXAMPLES.map((life) => [life]) },
    );
    const causes = [
      'too_late',
      'late',
      'pending',
      'invoice_void',
      'billed',
      'trial',
      'before_start',
    ] as const;
    for (const cause of causes) assert.ok(decided.has(cause), cause);
  });

  it('is asked for every cause once', () => {
    assert.deepEqual([...CAUSE_ORDER].sort(), [...CAUSES].sort());
  });
});
