import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isWithinBound } from '../../src/domain/money/decimal.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import * as given from '../support/ledger/billing.ts';

/** Digits with a length near the limit, mostly nines or zeros. */
const someDigits = fc
  .array(fc.tuple(fc.constantFrom('0', '0', '9', '1'), fc.integer({ min: 1, max: 45 })), { maxLength: 4 })
  .map((runs) => runs.map(([digit, count]) => digit.repeat(count)).join(''));
const aDecimalText = fc
  .tuple(fc.constantFrom('', '-'), someDigits, someDigits)
  .map(([sign, whole, places]) => `${sign}${whole === '' ? '0' : whole}${places === '' ? '' : `.${places}`}`);

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
