import assert from 'node:assert/strict';
import { createFeedWatch } from '../../../api/http/feed-watch.ts';

const LONG_MS = 60_000;

describe('requests that wait for a change', () => {
  const waiter = { environment_id: 1, key_id: 'key_1' };

  it('wake at the first number beyond theirs in their own environment, by one query for all', async () => {
    const newest = new Map([[1, 5]]);
    let queries = 0;
    const watch = createFeedWatch(() => {
      queries += 1;
      if (queries === 2) newest.set(2, 9);
      if (queries === 3) newest.set(1, 6);
      return Promise.resolve(newest);
    });
    const awake: string[] = [];
    await Promise.all([
      watch.beyond(waiter, 5, LONG_MS).then(() => awake.push('one')),
      watch.beyond({ ...waiter, key_id: 'key_2' }, 5, LONG_MS).then(() => awake.push('other')),
      watch.beyond({ ...waiter, environment_id: 2 }, 8, LONG_MS).then(() => awake.push('second environment')),
    ]);
    assert.deepEqual(awake, ['second environment', 'one', 'other']);
    assert.equal(queries, 3);
  });

  it('end with their time, also while the database does not answer', async () => {
    const watch = createFeedWatch(() => Promise.reject(new Error('no connection')));
    await watch.beyond(waiter, 5, 20);
  });

  it('are at most 100 of a key, and all end when the process stops', async () => {
    const watch = createFeedWatch(() => Promise.resolve(new Map()));
    const waiting = Array.from({ length: 100 }, () => watch.beyond(waiter, 5, LONG_MS));
    await assert.rejects(watch.beyond(waiter, 5, LONG_MS), { code: 'rate_limited' });
    const other = watch.beyond({ ...waiter, key_id: 'key_2' }, 5, LONG_MS);
    assert.equal(watch.has_ended(), false);
    watch.end();
    await Promise.all([...waiting, other]);
    assert.equal(watch.has_ended(), true);
    await watch.beyond(waiter, 5, LONG_MS);
  });
});
