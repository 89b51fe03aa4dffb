import assert from 'node:assert/strict';
import { transaction, type Db, type Pool } from '../../src/db/connection/pool.ts';
import { timeLimited, withinTime } from '../../src/db/connection/time-limited.ts';
import { inReportTime } from '../../src/db/reports/report-time.ts';
import { BillingError } from '../../src/domain/money/errors.ts';
import * as given from '../support/ledger/billing.ts';

const JANUARY = { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z' };

describe('statements with a time limit', () => {
  let pool: Pool;
  before(async () => void (pool = await given.aLedger()));
  after(() => pool.end());

  it('are cancelled as a part, and the transaction goes on without it', async () => {
    const found = await transaction(pool, async (db) => {
      const part = await withinTime(timeLimited(db, 30_000), 20, async (limited) => {
        await limited.query(`update accounts set created_at = '2000-01-01Z'`);
        await limited.query('select pg_sleep(20)');
        return 'done';
      });
      const { rows } = await db.query(`select created_at = '2000-01-01Z' as is_changed from accounts`);
      return [part, rows[0].is_changed];
    });
    assert.deepEqual(found, [null, false]);
  });

  it('have the shorter of two limits', async () => {
    const { rows } = await transaction(pool, async (db) => {
      const inner = timeLimited(timeLimited(db, 1000), 30_000);
      return inner.query(`select current_setting('statement_timeout') as limit_ms`);
    });
    assert.match(rows[0].limit_ms, /^(1s|\d{1,3}ms)$/);
  });

  it('have the rest of their time, each, however they are nested', async () => {
    const limit_of = async (limited: Db) => {
      const { rows } = await limited.query(
        `select setting::integer as limit_ms from pg_settings where name = 'statement_timeout'`,
      );
      return Number(rows[0].limit_ms);
    };
    const seen = await transaction(pool, async (db) => {
      const outer = timeLimited(db, 60_000);
      const inner = timeLimited(outer, 10_000);
      const first = [await limit_of(outer), await limit_of(inner), await limit_of(outer)];
      await outer.query('select pg_sleep(0.3)');
      const later = [await limit_of(outer), await limit_of(inner)];
      const failed = await withinTime(outer, 20, (limited) => limited.query('select pg_sleep(20)'));
      return [...first, ...later, failed === null ? await limit_of(outer) : 0];
    });
    const rests = [60_000, 10_000, 60_000, 59_700, 9_700, 59_680];
    for (const [place, limit_ms] of seen.entries())
      assert.ok(limit_ms > 0 && limit_ms <= rests[place]!, `${seen.join()} within ${rests.join()}`);
    assert.ok(seen[2]! > 10_000 && seen[5]! > 10_000, `${seen.join()}: a shorter limit has ended`);
  });

  it('of a report become a range to ask for', async () => {
    const reading = transaction(pool, (db) =>
      inReportTime(db, JANUARY, async () => {
        await db.query('set local statement_timeout = 10');
        await db.query('select pg_sleep(20)');
      }),
    );
    await assert.rejects(reading, (error: unknown) => {
      assert.ok(error instanceof BillingError);
      assert.deepEqual(error.details, [
        {
          param: 'to',
          reason: 'too_large',
          message:
            'the report would take more than 10 seconds: ask for 2026-01-01T00:00:00.000Z to 2026-01-16T00:00:00.000Z',
        },
      ]);
      return true;
    });
  });
});
