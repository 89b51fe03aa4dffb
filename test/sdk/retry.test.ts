import assert from 'node:assert/strict';
import { backOffMs, isTemporary, retryAfterMs } from '../../sdk/typescript/src/retry.ts';

const SENT = 'Fri, 02 Jan 2026 03:04:05 GMT';

describe('the wait before another try', () => {
  const ASKED: [headers: Record<string, string>, ms: number | null][] = [
    [{}, null],
    [{ 'Retry-After': '1' }, 1000],
    [{ 'Retry-After': '120' }, 120_000],
    // Between a tenth of a second and an hour, whatever the header says.
    [{ 'Retry-After': '0' }, 100],
    [{ 'Retry-After': '86400' }, 3_600_000],
    // A date is a time after the date of the answer.
    [{ 'Retry-After': 'Fri, 02 Jan 2026 03:04:35 GMT', Date: SENT }, 30_000],
    [{ 'Retry-After': 'Fri, 02 Jan 2026 03:04:00 GMT', Date: SENT }, 100],
    [{ 'Retry-After': 'Fri, 02 Jan 2026 03:04:35 GMT' }, null],
    [{ 'Retry-After': 'soon', Date: SENT }, null],
    [{ 'Retry-After': '-5', Date: SENT }, null],
  ];
  for (const [headers, ms] of ASKED)
    it(`of ${JSON.stringify(headers)} is ${ms} ms`, () =>
      assert.equal(retryAfterMs(new Headers(headers)), ms));

  const LONGEST: [tries: number, ms: number][] = [
    [1, 500],
    [2, 1000],
    [6, 16_000],
    [7, 30_000],
    [5000, 30_000],
  ];
  for (const [tries, ms] of LONGEST)
    it(`after ${tries} tries is from ${ms / 2} to ${ms} ms`, () => {
      const waits = Array.from({ length: 1000 }, () => backOffMs(tries));
      assert.ok(waits.every((wait) => wait >= ms / 2 && wait <= ms));
      assert.ok(new Set(waits).size > 100);
    });

  it('follows the statuses that may pass', () => {
    const statuses = [200, 301, 400, 401, 403, 404, 408, 409, 413, 425, 429, 500, 502, 503, 504];
    assert.deepEqual(statuses.filter(isTemporary), [408, 425, 429, 500, 502, 503, 504]);
  });
});
