import assert from 'node:assert/strict';
import fc from 'fast-check';
import { aggregateUsage } from '../../src/billing/close/draft.ts';
import { cancelSubscription, takeBackCancel } from '../../src/billing/terms/cancel.ts';
import { generateInvoices } from '../../src/billing/close/generate.ts';
import { replaceInvoice } from '../../src/billing/owed/regenerate.ts';
import { voidInvoice } from '../../src/billing/owed/void.ts';
import { countDifference } from '../../src/db/reports/billing-days.ts';
import { consumeAll, consumeNext } from '../../src/db/changes/consume.ts';
import { changeLateUsageDays } from '../../src/db/reports/report-settings.ts';
import { findInvoice } from '../../src/db/invoicing/invoices.ts';
import { findOpenPeriod } from '../../src/db/subscriptions/periods.ts';
import { readOnly, transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { lockCustomerAndSubscription } from '../../src/db/subscriptions/subscription-context.ts';
import type { EventPosition, PlacedEvent } from '../../src/db/events/event-list.ts';
import { listEventsByStatus } from '../../src/db/reports/events-by-status.ts';
import { billingParameters, eventBillings } from '../../src/db/reports/event-billing.ts';
import { REPORTS } from '../../src/db/reports/fold.ts';
import { forgetRollup, rollUp } from '../../src/db/reports/roll-up.ts';
import { REPORT_GROUPS, readUsageReport } from '../../src/db/reports/usage-report.ts';
import { BILLING_STATUSES, CAUSES, statusOfCause, type Cause } from '../../src/domain/usage/billing-cause.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';

const NAMES = ['api_call', 'bytes', 'mixed', 'unheard'] as const;
const RANGE = { from: '2026-01-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };
const sum = { type: 'sum', property: 'n' } as const;
/** Charges of every kind: decided by the day, by skipped events, and only by reading. */
const PLANS: given.TestCharge[][] = [
  [
    { pricing: given.PER_UNIT },
    { pricing: { pricing_model: 'flat', flat_amount: '1' }, event_name: 'unheard' },
  ],
  [
    { pricing: given.GRADUATED, event_name: 'bytes', aggregation: sum },
    { pricing: given.PER_UNIT, event_name: 'mixed' },
    { pricing: given.PER_UNIT, event_name: 'mixed', filters: { region: ['eu'] } },
  ],
  [
    { pricing: given.PER_UNIT, filters: { region: ['eu'] } },
    { pricing: given.PER_UNIT, event_name: 'bytes', aggregation: { type: 'unique', property: 'n' } },
    { pricing: given.PER_UNIT, event_name: 'mixed', aggregation: { type: 'latest', property: 'n' } },
  ],
];

/** Few days, at the ends of months and within them, so that a day has several events. */
const aDay = fc.constantFrom(0, 9, 30, 31, 32, 58, 59);
const instant = (days: number, quarters = 0) =>
  new Date(Date.UTC(2026, 0, 1 + days, 0, quarters * 15)).toISOString();
const anInstant = fc.tuple(aDay, fc.oneof(fc.constant(0), fc.nat(95))).map((at) => instant(...at));
const anEvent = fc.record({
  event_name: fc.constantFrom(...NAMES),
  timestamp: anInstant,
  // January's late usage ends on day 66, February's on day 94.
  created_at: fc.constantFrom(0, 40, 65, 66, 67, 93, 94, 120).map((days) => instant(days)),
  properties: fc.record(
    { n: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.constant('many')), region: fc.constantFrom('eu', 'us') },
    { requiredKeys: [] },
  ),
});

const KINDS = [
  ...['roll_up', 'roll_up', 'fold', 'draft', 'bill', 'bill', 'generate', 'close_now', 'void', 'regenerate'],
  ...['cancel', 'cancel_later', 'take_back', 'subscribe', 'trial', 'late_days', 'rebuild', 'restore'],
] as const;
type Command = { kind: (typeof KINDS)[number] | 'store'; events: given.TestEvent[]; n: number; at: string };
const aCommand: fc.Arbitrary<Command> = fc.record({
  kind: fc.oneof(fc.constant('store' as const), fc.constantFrom(...KINDS)),
  events: fc.array(anEvent, { minLength: 1, maxLength: 12 }),
  n: fc.nat(1000),
  at: anInstant,
});

type Counted = { customer_key: string; event_name: string; day: string; cause: Cause; events: number };

describe('the counts of events by cause', function () {
  this.timeout(500_000);
  let pool: Pool;
  let plans: string[];
  before(async () => {
    pool = await given.aLedger();
    plans = await Promise.all(PLANS.map((charges) => given.aPlan(pool, charges)));
  });
  after(() => pool.end());

  /** The counts by the SQL for one event, each read; in [from, to). */
  async function countedByEvent(db: Db, customer_keys: string[], { from, to } = RANGE): Promise<Counted[]> {
    const { rows: settings } = await db.query('select late_usage_days from report_settings');
    const scope = { environment_id: given.LIVE, customer_keys, from, to, ...settings[0] };
    const { rows } = await db.query<Counted>(
      `${eventBillings()}, placed as (
         select customer_key, event_name, date_trunc('day', timestamp, 'UTC') as day, min(array_position($6::text[], cause)) as place
         from billing group by event_id, customer_key, event_name, timestamp
       )
       select customer_key, event_name, day, ($6::text[])[place] as cause, count(*)::integer as events
       from placed group by 1, 2, 3, 4 order by customer_key, day, event_name, cause`,
      [...billingParameters(scope), CAUSES],
    );
    return rows;
  }

  async function stored(customer_keys: string[]): Promise<Counted[]> {
    const { rows } = await pool.query<Counted>(
      `select customer_key, event_name, day, cause, events::integer from billing_days where customer_key = any($1)
       order by customer_key, day, event_name, cause`,
      [customer_keys],
    );
    return rows;
  }

  async function foldAll(): Promise<void> {
    while (await rollUp(pool));
    await consumeAll(pool, REPORTS);
  }

  /** Acts on a subscription as the API and the worker do; a refused act changes nothing. */
  async function act(db: Db, key: { environment_id: number; subscription_id: string }, { kind, n }: Command) {
    const settings = given.NO_GRACE;
    const { rows } = await db.query<{ id: string }>(
      `select id from invoices where subscription_id = $1 and status <> 'void' order by id`,
      [key.subscription_id],
    );
    const invoice = rows[n % Math.max(1, rows.length)];
    if (kind === 'draft') {
      const period = await findOpenPeriod(db, key);
      if (period !== null && period.period_end < new Date().toISOString())
        await aggregateUsage(db, { ...key, period_start: period.period_start, revision: 1 }, settings);
    } else if (kind === 'generate' || kind === 'close_now') {
      await generateInvoices(db, key, { close_now: kind === 'close_now' }, settings);
    } else if (kind === 'cancel' || kind === 'cancel_later') {
      const at = kind === 'cancel' ? 'now' : 'period_end';
      await cancelSubscription(db, key, { at, settle: 'balance' }, settings);
    } else if (kind === 'take_back') {
      await takeBackCancel(db, key, settings);
    } else if (kind === 'void' && invoice !== undefined) {
      await voidInvoice(db, given.LIVE, invoice.id, null);
    } else if (kind === 'regenerate' && invoice !== undefined) {
      const subscription = (await lockCustomerAndSubscription(db, given.LIVE, key.subscription_id))!;
      const old = (await findInvoice(db, given.LIVE, invoice.id))!;
      await replaceInvoice(db, { subscription, old, reason: null }, settings);
    }
  }

  async function billNext(subscription_id: string): Promise<void> {
    const period = await findOpenPeriod(pool, { environment_id: given.LIVE, subscription_id });
    if (period !== null && period.period_end < new Date().toISOString())
      await given.runSteps(pool, { ...given.stepOf(subscription_id), period_start: period.period_start });
  }

  async function subscribe(customer: given.TestCustomer, { n, at }: Command): Promise<string> {
    return given.aSubscription(pool, customer, plans[n % plans.length]!, n % 2 === 0 ? RANGE.from : at);
  }

  async function live(customers: readonly given.TestCustomer[], commands: readonly Command[]): Promise<void> {
    const subscriptions: string[] = [];
    for (const command of commands) {
      const { kind, events, n, at } = command;
      const customer = customers[n % customers.length]!;
      const subscription_id = subscriptions[n % Math.max(1, subscriptions.length)];
      if (kind === 'store') await given.post(pool, customer, events);
      else if (kind === 'roll_up') await rollUp(pool, 3);
      else if (kind === 'fold') await consumeNext(pool, REPORTS);
      else if (kind === 'rebuild') await forgetRollup(pool);
      else if (kind === 'late_days') await changeLateUsageDays(pool, n % 60);
      else if (kind === 'restore') await restore();
      else if (kind === 'subscribe' || subscription_id === undefined)
        subscriptions.push(await subscribe(customer, command));
      else if (kind === 'bill') await refusing(() => billNext(subscription_id));
      else if (kind === 'trial')
        await pool.query('update subscriptions set trial_end_date = $2 where id = $1 and start_date < $2', [
          subscription_id,
          at,
        ]);
      else
        await refusing(() =>
          transaction(pool, (db) => act(db, { environment_id: given.LIVE, subscription_id }, command)),
        );
    }
  }

  /** Does to the tables what a logical restore does. */
  async function restore(): Promise<void> {
    const { rows } = await pool.query<{ epoch: number }>(
      `insert into epochs (epoch, system_identifier) select max(epoch) + 1, 'restored ' || max(epoch) from epochs returning epoch`,
    );
    for (const table of ['events', 'row_changes'])
      await pool.query(`alter table ${table} alter column epoch set default ${rows[0]!.epoch}`);
  }

  async function refusing(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      if (!(error instanceof BillingError)) throw error;
    });
  }

  const ranges = fc
    .tuple(anInstant, anInstant)
    .map(([a, b]) => (a < b ? { from: a, to: b } : { from: b, to: a }));

  it('equal the events read one by one, folded or added to a report', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aCommand, { minLength: 5, maxLength: 25 }), ranges, async (commands, cut) => {
        const customers = [await given.aCustomer(pool), await given.aCustomer(pool)];
        const keys = customers.map(({ key }) => key);
        await live(customers, commands);
        for (const range of [RANGE, cut])
          for (const customer_key of keys) assert.deepEqual(...(await reportedAndRead(customer_key, range)));
        for (const customer_key of keys) await assertListed(customer_key, cut);
        await foldAll();
        assert.deepEqual(await stored(keys), await countedByEvent(pool, keys));
        assert.deepEqual(await differenceInParts(keys), []);
        for (const customer_key of keys) assert.deepEqual(...(await reportedAndRead(customer_key, cut)));
      }),
      { numRuns: 20, endOnFailure: true },
    );
  });

  /** The counts that are stored less those counted anew, by statements that judge three events at most. */
  async function differenceInParts(customer_keys: string[]): Promise<unknown> {
    const { rows } = await pool.query<{ late_usage_days: number }>(
      'select late_usage_days from report_settings',
    );
    const changed = customer_keys.map((customer_key) => ({ customer_key, ...RANGE }));
    return countDifference(pool, { environment_id: given.LIVE, ...rows[0]!, changed, judgements_max: 3 });
  }

  /** A customer's events by status, page by page, are those that the report counts. */
  async function assertListed(customer_key: string, range: { from: string; to: string }): Promise<void> {
    const counted = await countedByEvent(pool, [customer_key], range);
    for (const billing_status of BILLING_STATUSES) {
      const filter = { billing_status, customer_key, event_name: null, ...range };
      const found: PlacedEvent[] = [];
      for (let after: EventPosition | null = null; ; after = found.at(-1)!.position) {
        const page = await readOnly(pool, (db) =>
          listEventsByStatus(db, given.LIVE, { filter, after, limit: 3 }),
        );
        found.push(...page);
        if (page.length < 3) break;
      }
      const wanted = counted.filter(({ cause }) => statusOfCause(cause).status === billing_status);
      assert.equal(
        found.length,
        wanted.reduce((sum, { events }) => sum + events, 0),
        billing_status,
      );
      assert.equal(new Set(found.map(({ event }) => event.id)).size, found.length);
      const instants = found.map(({ event }) => event.timestamp);
      assert.deepEqual(instants, [...instants].sort().reverse());
    }
  }

  /** A customer's report by day, name and customer, and the same from the events, in one snapshot. */
  function reportedAndRead(
    customer_key: string,
    range: { from: string; to: string },
  ): Promise<[unknown, unknown]> {
    return readOnly(pool, async (db) => {
      const counted = await countedByEvent(db, [customer_key], range);
      const reported: Record<string, unknown> = {};
      const read: Record<string, unknown> = {};
      for (const group_by of REPORT_GROUPS) {
        const scope = { environment_id: given.LIVE, customer_key, event_name: null, ...range };
        const { rows } = await readUsageReport(db, { ...scope, group_by, after: null, limit: 200 });
        reported[group_by] = rows
          .filter(({ counts }) => counts.accepted !== 0)
          .flatMap(({ key, counts }) =>
            Object.entries(counts).map(([status, events]) => `${key} ${status} ${events}`),
          )
          .filter((text) => !text.endsWith(' 0'))
          .sort();
        read[group_by] = summed(
          counted,
          { day: 'day', event_name: 'event_name', customer: 'customer_key' }[group_by],
        );
      }
      return [reported, read];
    });
  }

  function summed(counted: readonly Counted[], by: string): string[] {
    const sums = new Map<string, number>();
    for (const { cause, events, ...cell } of counted)
      for (const column of ['accepted', statusOfCause(cause).status]) {
        const key = `${new Map(Object.entries(cell)).get(by)} ${column}`;
        sums.set(key, (sums.get(key) ?? 0) + events);
      }
    return [...sums].map(([key, events]) => `${key} ${events}`).sort();
  }

  it('sum to those of the environment', async () => {
    await foldAll();
    const { rows } = await pool.query(
      `select event_name, day, cause, sum(events)::integer as events from billing_days group by 1, 2, 3
       except select event_name, day, cause, events::integer from report_days`,
    );
    assert.deepEqual(rows, []);
  });
});
