import assert from 'node:assert/strict';
import { conflict, rateLimited } from '../../../src/domain/money/errors.ts';

describe('errors', () => {
  it('an error that asks for a retry has no stack trace, and other errors have one', () => {
    const { code, stack, retry_after_seconds } = rateLimited(3);
    // A worker in the same process prepares stack traces in its own way, with a line end.
    const lines = stack!.trimEnd().split('\n');
    assert.deepEqual([code, lines, retry_after_seconds], ['rate_limited', ['BillingError: rate_limited'], 3]);
    assert.match(conflict(null, 'invalid_state', 'paid').stack!, /errors\.test\.ts/);
  });
});
