import assert from 'node:assert/strict';
import type { ErrorCode, Reason } from '../../../src/domain/money/errors.ts';
import type { Pool } from '../../../src/db/connection/pool.ts';
import { startApi, type ApiOptions, type Sent, type TestApi } from '../servers/api.ts';
import { assertRefused } from '../ledger/refused.ts';

/**
 * A request (a function if it needs the API's keys) and its expected refusal: the code, and `param` and `reason` of the first
 * detail if they matter.
 */
export type BadRequest = [
  name: string,
  path: string,
  sent: Sent | ((api: TestApi) => Sent),
  code: ErrorCode,
  param?: string | null,
  reason?: Reason,
];

const TABLES = ['customers', 'plans', 'charges', 'credit_grants', 'credit_ledger', 'events'];

/** Declares one test per row, and one that checks that none of the requests stored anything. */
export function describeBadInput(
  title: string,
  rows: readonly BadRequest[],
  options: ApiOptions & { prepare?: (api: TestApi) => Promise<unknown> } = {},
): void {
  describe(`bad input, ${title}`, () => {
    let api: TestApi;
    let stored_before: number;
    before(async () => {
      api = await startApi(options);
      await options.prepare?.(api);
      stored_before = await countStored(api.pool);
    });
    after(() => api.close());
    for (const [name, path, sent, code, param, reason] of rows) {
      it(name, async () => {
        const expected = {
          code,
          ...(param === undefined ? {} : { param }),
          ...(reason === undefined ? {} : { reason }),
        };
        assertRefused(await api.request(path, typeof sent === 'function' ? sent(api) : sent), expected);
      });
    }
    it('nothing was stored', async () => assert.equal(await countStored(api.pool), stored_before));
    it('no prototype was polluted', () => assert.deepEqual(Object.keys(Object.prototype), []));
  });
}

async function countStored(pool: Pool): Promise<number> {
  const counts = TABLES.map((table) => `select count(*) from ${table}`).join(' union all ');
  const { rows } = await pool.query(`select sum(count)::integer as count from (${counts}) as counts`);
  return rows[0].count;
}
