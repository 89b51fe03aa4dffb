import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Aggregation } from '../../src/domain/pricing/charge.ts';
import { isWithinBound } from '../../src/domain/money/decimal.ts';
import { checkMoment, type Exception } from '../../src/db/invariants/all.ts';
import { rollUp } from '../../src/db/reports/roll-up.ts';
import { readOnly, transaction, type Pool } from '../../src/db/connection/pool.ts';
import { tableOf, reportOf } from '../../src/checks/invariant-report.ts';
import * as given from '../support/billing.ts';
import { breachesOf } from '../support/sound.ts';

const MIGRATION = new URL('../../migrations/0011_bad_values.sql', import.meta.url);
const NO_INPUTS = { acknowledged: null, workflows: null };

/** Restores the function of the version before, which has no limit for numbers. */
const BEFORE = `
  create or replace function event_number(value jsonb) returns numeric language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then (value #>> '{}')::numeric
    when 'string' then case when value #>> '{}' ~ '^-?[0-9]+(\\.[0-9]+)?$' then (value #>> '{}')::numeric end
  end;
  drop function decimal_fits`;

/** Drops the tables that the migration creates; until then the code needs them. */
const MADE = 'drop table set_aside, line_item_exceptions';

const of = (type: 'sum' | 'max' | 'latest'): Aggregation => ({ type, property: 'n' });
const SUM = { pricing: given.PER_UNIT, aggregation: of('sum') };
const MAX = { pricing: given.PER_UNIT, aggregation: of('max') };
const LATEST = { pricing: given.PER_UNIT, aggregation: of('latest') };
const ZEROS = '0'.repeat(58);
const LONG = `1${ZEROS}1`;

/** Digits with a length near the limit, mostly nines or zeros. */
const someDigits = fc
  .array(fc.tuple(fc.constantFrom('0', '0', '9', '1'), fc.integer({ min: 1, max: 45 })), { maxLength: 4 })
  .map((runs) => runs.map(([digit, count]) => digit.repeat(count)).join(''));
const aDecimalText = fc
  .tuple(fc.constantFrom('', '-'), someDigits, someDigits)
  .map(([sign, whole, places]) => `${sign}${whole === '' ? '0' : whole}${places === '' ? '' : `.${places}`}`);

const NOTHING_COVERED = {
  changes_from: null,
  changes_to: null,
  checked_at: null,
  sweeps: [],
  sweep_ms: null,
  archived_lines: 0,
};

describe('the limit of a number', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('is the same in the database and for input', async () => {
    const texts = fc.sample(aDecimalText, { numRuns: 3000, seed: 1 });
    const { rows } = await pool.query<{ text: string; fits: boolean; is_number: boolean }>(
      `select text, decimal_fits(text) as fits, event_number(to_jsonb(text)) is not null as is_number
       from unnest($1::text[]) as text`,
      [texts],
    );
    const wrong = rows.filter(
      ({ text, fits, is_number }) => fits !== isWithinBound(text) || is_number !== fits,
    );
    assert.deepEqual([rows.length, wrong], [3000, []]);
    const fitting = rows.filter(({ fits }) => fits).length;
    assert.ok(fitting > 500 && fitting < 2500, `${fitting}`);
  });
});

describe('the migration that limits numbers', function () {
  let pool: Pool;
  before(async () => {
    pool = await given.aLedger();
    await pool.query(BEFORE);
  });
  after(() => pool.end());

  const event = (n: string, day: number) => ({ timestamp: `2026-01-${day}T12:00:00Z`, properties: { n } });

  async function exceptions(): Promise<Exception[]> {
    const checked = await readOnly(pool, (db) => checkMoment(db, NO_INPUTS));
    const known = checked.flatMap((invariant) => invariant.exceptions);
    for (const { row, exception } of known) {
      assert.ok(
        reportOf(checked, 0).includes(`${row}: `) && reportOf(checked, 0).includes(`; known: ${exception}`),
      );
      assert.ok(tableOf(checked, NOTHING_COVERED).includes(`a known exception: ${row}`));
    }
    return known;
  }

  it('rolls up days with longer numbers again, and records issued lines as exceptions with a reason', async () => {
    const customer = await given.aCustomer(pool);
    const subscription = await given.aSubscription(
      pool,
      customer,
      await given.aPlan(pool, [SUM, MAX, LATEST]),
    );
    const neighbour = await given.aCustomer(pool);
    const other = await given.aSubscription(pool, neighbour, await given.aPlan(pool, [SUM]));
    await given.post(pool, customer, [event('2', 10), event(LONG, 10), event('3', 11)]);
    await given.post(pool, neighbour, [event('4', 10)]);
    while (await rollUp(pool));
    const issued = await given.bill(pool, given.stepOf(subscription));
    assert.deepEqual(
      issued.line_items.map(({ quantity }) => quantity),
      [`1${ZEROS}6`, LONG, '3'],
    );
    // More decimal places than `numeric` can store: such a value used to stop the rollup for all customers.
    await given.post(pool, customer, [event(`0.${'1'.repeat(16_384)}`, 12)]);

    await transaction(pool, (db) => db.query(`${MADE}; ${readFileSync(MIGRATION, 'utf8')}`));

    while (await rollUp(pool));
    await given.bill(pool, given.stepOf(other));
    const breaches = await readOnly(pool, (db) => breachesOf(db));
    // I12 reports the later months, which this test does not bill.
    assert.deepEqual(
      breaches.filter(({ invariant }) => invariant !== 'I12'),
      [],
    );
    const known = await exceptions();
    const [sum, max, latest] = issued.line_items.map(({ charge_id }) => charge_id);
    // The line of the latest value has the right price, but its count of skipped events is too low.
    assert.deepEqual(
      known.map(({ invariant, row }) => [invariant, /chg_\w+/.exec(row)![0]]),
      [
        ['I6', sum],
        ['I6', max],
        ['I6', latest],
        ['I7', sum],
        ['I7', max],
        ['I35', sum],
        ['I35', max],
      ],
    );
    assert.match(known[0]!.exception, /^it was counted before numbers had a bound/);
    const { rows } = await pool.query(
      `select total::text, maximum::text, skipped_events from usage_days
       where customer_key = $1 and property = 'n' order by day`,
      [customer.key],
    );
    assert.deepEqual(
      rows.map(({ total, maximum, skipped_events }) => [total, maximum, skipped_events]),
      [
        ['2', '2', '1'],
        ['3', '3', '0'],
        [null, null, '1'],
      ],
    );
  });
});
