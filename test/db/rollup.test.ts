import assert from 'node:assert/strict';
import fc from 'fast-check';
import type pg from 'pg';
import type { Aggregation, Charge, Filters } from '../../src/domain/pricing/charge.ts';
import type { CutOff, Span } from '../../src/domain/time/span.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { countUnrolled } from '../../src/db/events/rollup.ts';
import { forgetRollup, rollUp } from '../../src/db/reports/roll-up.ts';
import { takeCutOffs } from '../../src/db/usage/usage.ts';
import * as given from '../support/ledger/billing.ts';
import { dailyUsageOf, quantityOf } from '../support/ledger/usage.ts';

const day = (place: number, hours = 0) => new Date(Date.UTC(2026, 0, place, 0, hours * 60)).toISOString();
/** Hours in quarters, at which the days of every time zone begin and end. */
const aQuarter = (hours: number) => fc.integer({ min: 0, max: 4 * hours }).map((quarters) => quarters / 4);

/** Charges of each kind: counted by daily totals, by totals of complete days only, and always by reading the events. */
const CHARGES: [Aggregation, Filters | null][] = [
  [{ type: 'count' }, null],
  [{ type: 'sum', property: 'bytes' }, null],
  [{ type: 'max', property: 'bytes' }, null],
  [{ type: 'unique', property: 'bytes' }, null],
  [{ type: 'latest', property: 'bytes' }, null],
  [{ type: 'count' }, { region: ['eu'] }],
];

const anEvent = fc.record({
  timestamp: fc.tuple(fc.integer({ min: 1, max: 4 }), aQuarter(23)).map((at) => day(...at)),
  created_at: fc.integer({ min: 1, max: 9 }).map((place) => day(place, 12)),
  properties: fc.record({
    bytes: fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom('2.5', 'many')),
    region: fc.constantFrom('eu', 'us'),
  }),
});
type Event = given.TestEvent & { created_at: string };
type Step = { kind: 'store' | 'begin' | 'commit' | 'roll_up' | 'cut_off' | 'restore'; events: Event[] };

const kinds: Step['kind'][] = [
  'store',
  'store',
  'begin',
  'commit',
  'roll_up',
  'roll_up',
  'cut_off',
  'cut_off',
];
const aStep = fc.record({
  kind: fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...kinds) },
    { weight: 1, arbitrary: fc.constant<Step['kind']>('restore') },
  ),
  events: fc.array(anEvent, { minLength: 1, maxLength: 4 }),
});

/** Bounds of a span: indexes of cut-offs, hours of timestamps, and days of storing. */
type Bounds = {
  cuts: [number, number];
  hours: [number, number];
  is_whole_days: boolean;
  stored_from: number | null;
  stored_to: number | null;
};
const aSpan: fc.Arbitrary<Bounds> = fc.record({
  cuts: fc.tuple(fc.nat(), fc.nat()),
  hours: fc.tuple(aQuarter(120), aQuarter(120)),
  is_whole_days: fc.boolean(),
  stored_from: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 4 }),
  stored_to: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 4 }),
});

describe('the rollup', function () {
  let pool: Pool;
  let subscription: string;
  const aCutOff = async () => (await takeCutOffs(pool, given.LIVE, [subscription])).get(subscription)!;
  before(async () => {
    pool = await given.aLedger();
    const charges = CHARGES.map(([aggregation, filters]) => ({
      pricing: given.PER_UNIT,
      aggregation,
      filters,
    }));
    subscription = await given.aSubscription(
      pool,
      await given.aCustomer(pool),
      await given.aPlan(pool, charges),
    );
  });
  after(() => pool.end());

  /** Does to the tables what a logical restore does. */
  async function restore(): Promise<void> {
    const { rows } = await pool.query<{ epoch: number }>(
      `insert into epochs (epoch, system_identifier) select max(epoch) + 1, 'restored ' || max(epoch) from epochs returning epoch`,
    );
    await pool.query(`alter table events alter column epoch set default ${rows[0]!.epoch}`);
  }

  /** Runs the steps. Returns the cut-offs, and each event with the number of cut-offs before its commit. */
  async function live(customer: given.TestCustomer, steps: readonly Step[]) {
    const open: { client: pg.PoolClient; events: Event[] }[] = [];
    const stored: { event: Event; cut_offs_before: number }[] = [];
    const cut_offs: CutOff[] = [];
    const keep = (events: readonly Event[]) =>
      stored.push(...events.map((event) => ({ event, cut_offs_before: cut_offs.length })));
    async function commit(): Promise<void> {
      const oldest = open.shift();
      if (oldest === undefined) return;
      await oldest.client.query('commit');
      oldest.client.release();
      keep(oldest.events);
    }
    for (const { kind, events } of steps) {
      if (kind === 'store') {
        await given.post(pool, customer, events);
        keep(events);
      } else if (kind === 'begin') {
        const client = await pool.connect();
        await client.query('begin');
        await given.post(client, customer, events);
        open.push({ client, events });
      } else if (kind === 'commit') {
        await commit();
      } else if (kind === 'roll_up') {
        await rollUp(pool, 3);
      } else if (kind === 'cut_off') {
        cut_offs.push(await aCutOff());
      } else {
        while (open.length > 0) await commit();
        await restore();
      }
    }
    while (open.length > 0) await commit();
    cut_offs.push(await aCutOff());
    return { cut_offs, stored };
  }

  function spanOf(cut_offs: readonly CutOff[], bounds: Bounds): Span {
    const places = bounds.cuts.map((place) => place % (cut_offs.length + 1)).sort((a, b) => a - b);
    const [after, up_to] = [places[0]!, Math.max(places[1]!, 1)];
    const unit = bounds.is_whole_days ? 24 : 0.25;
    const hours = bounds.hours.map((hour) => hour - (hour % unit)).sort((a, b) => a - b);
    return {
      after: after === 0 || after === up_to ? null : cut_offs[after - 1]!,
      up_to: cut_offs[up_to - 1]!,
      timestamp_from: day(1, hours[0]),
      timestamp_to: day(1, hours[1]),
      stored_from: bounds.stored_from === null ? null : day(bounds.stored_from, 12),
      stored_to: bounds.stored_to === null ? null : day(bounds.stored_to, 12),
    };
  }

  const names = { event_name: 'api_call', name: null, unit_name: null };
  const charges = CHARGES.map(([aggregation, filters], place): Charge => {
    return { id: `${place}`, ...names, ...{ group_by: null, pricing: given.PER_UNIT }, aggregation, filters };
  });

  it('gives the same quantity as the events, for any spans, at any progress, with transactions in progress', async () => {
    const life = fc.array(aStep, { minLength: 8, maxLength: 30 });
    const some_spans = fc.array(aSpan, { minLength: 1, maxLength: 3 });
    let from_totals = 0;
    await fc.assert(
      fc.asyncProperty(life, fc.array(some_spans, { minLength: 1, maxLength: 6 }), async (steps, choices) => {
        while (await rollUp(pool));
        const customer = await given.aCustomer(pool);
        const { cut_offs, stored } = await live(customer, steps);
        const query = { environment_id: given.LIVE, customer_key: customer.key };
        const usage = await dailyUsageOf(pool, { ...query, charges, from: day(1), to: day(8) });
        from_totals += usage!.get('0')!.days.length;
        for (const bounds of choices) {
          const spans = bounds.map((chosen) => spanOf(cut_offs, chosen));
          for (const charge of charges) {
            const told = await quantityOf(pool, { ...query, charge, spans, daily: usage!.get(charge.id)! });
            const read = await quantityOf(pool, { ...query, charge, spans, daily: null });
            assert.deepEqual(told, read, charge.aggregation.type);
          }
          const counted = await quantityOf(pool, {
            ...query,
            charge: charges[0]!,
            spans,
            daily: usage!.get('0')!,
          });
          assert.equal(counted.quantity, `${countOf(stored, spans, cut_offs)}`);
        }
      }),
      { numRuns: 40 },
    );
    assert.ok(from_totals > 40, `${from_totals}`);
  });

  /** Expected count: by the order of commits, without transaction ids. */
  function countOf(
    stored: readonly { event: Event; cut_offs_before: number }[],
    spans: readonly Span[],
    cut_offs: readonly CutOff[],
  ): number {
    const placeOf = (cut_off: CutOff | null) => cut_offs.findIndex(({ id }) => id === cut_off?.id);
    const holds = (span: Span) =>
      stored.filter(
        ({ event: { timestamp, created_at }, cut_offs_before }) =>
          timestamp >= span.timestamp_from &&
          timestamp < span.timestamp_to &&
          cut_offs_before <= placeOf(span.up_to) &&
          cut_offs_before > placeOf(span.after) &&
          (span.stored_from === null || created_at >= span.stored_from) &&
          (span.stored_to === null || created_at < span.stored_to),
      ).length;
    return spans.reduce((count, span) => count + holds(span), 0);
  }

  it('rolls up committed events in steps until none is left, and starts again once it is cleared', async () => {
    while (await rollUp(pool));
    const customer = await given.aCustomer(pool);
    const open = await pool.connect();
    await open.query('begin');
    await given.post(open, customer, given.january(2));
    await given.post(pool, customer, given.january(3));
    await given.post(pool, customer, given.january(4));
    const blocked = [await rollUp(pool), await countUnrolled(pool, 100)];
    await open.query('commit');
    open.release();
    const unrolled = [await countUnrolled(pool, 100), await countUnrolled(pool, 5)];
    const steps: [boolean | undefined, number][] = [];
    for (let i = 0; i < 4; i++)
      steps.push([(await rollUp(pool, 2))?.is_full, await countUnrolled(pool, 100)]);
    await forgetRollup(pool);
    const forgotten = (await countUnrolled(pool, 100)) >= 9;
    assert.deepEqual(
      { blocked, unrolled, steps, forgotten },
      {
        blocked: [null, 7],
        unrolled: [9, 5],
        // A step takes complete transactions: two, three and four events.
        steps: [
          [true, 7],
          [true, 4],
          [true, 0],
          [undefined, 0],
        ],
        forgotten: true,
      },
    );
  });

  it('counts an event on its day in UTC, however old', async () => {
    const customer = await given.aCustomer(pool);
    const days = ['0001-01-01', '1969-12-31', '1970-01-01', '1999-12-31', '2000-01-01'];
    const instants = days.map(
      (name, place) => `${name}T${place % 2 === 0 ? '00:00:00.000' : '23:59:59.999'}Z`,
    );
    for (const timestamp of instants) await given.post(pool, customer, [{ timestamp }]);
    while (await rollUp(pool));
    const { rows } = await pool.query<{ days: string[] }>(
      `select array_agg(instant_text(day) order by day) as days from usage_days where customer_key = $1 and property = ''`,
      [customer.key],
    );
    assert.deepEqual(
      rows[0]!.days,
      days.map((name) => `${name}T00:00:00.000Z`),
    );
  });

  it('rolls nothing up twice when two run at once', async () => {
    const customer = await given.aCustomer(pool);
    for (let i = 0; i < 20; i++) await given.post(pool, customer, given.january(3));
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 60; i++) await rollUp(pool, 5);
      }),
    );
    while (await rollUp(pool, 5));
    const { rows } = await pool.query<{ events: string }>(
      `select sum(events)::text as events from usage_days where customer_key = $1 and property = ''`,
      [customer.key],
    );
    assert.equal(rows[0]!.events, '60');
  });

  it('leaves a day to its events if its totals of a property lack the first ones', async () => {
    const customer = await given.aCustomer(pool);
    await given.post(pool, customer, given.january(2, { late_property: 2 }));
    while (await rollUp(pool));
    await given.aPlan(pool, [
      { pricing: given.PER_UNIT, aggregation: { type: 'sum', property: 'late_property' } },
    ]);
    await given.post(pool, customer, given.january(1, { late_property: 5 }));
    while (await rollUp(pool));
    const charge: Charge = { ...charges[1]!, aggregation: { type: 'sum', property: 'late_property' } };
    const key = { environment_id: given.LIVE, customer_key: customer.key, charge };
    const usage = await dailyUsageOf(pool, { ...key, charges: [charge], from: day(1), to: day(5) });
    const always = { stored_from: null, stored_to: null };
    const bounds: Bounds = { cuts: [0, 1], hours: [0, 120], is_whole_days: true, ...always };
    const spans = [spanOf([await aCutOff()], bounds)];
    assert.equal(usage!.get(charge.id)!.days[0]!.totals, null);
    const { quantity } = await quantityOf(pool, { ...key, spans, daily: usage!.get(charge.id)! });
    assert.equal(quantity, '9');
  });
});
