import assert from 'node:assert/strict';
import { note, type World } from '../model/world.ts';
import { done, type Session } from './session.ts';

/**
 * Asserts that the months that were closed after their end, whatever was done since, have the journal that they had: closed once more,
 * they have the same entries, the same hash and the same sums.
 */
export async function compareClosedMonths(world: World, session: Session): Promise<void> {
  for (const [month, { was_over }] of world.closed) {
    const path = `/v1/closed-months/${month}`;
    const closed = session.closed.get(month)!;
    const { status, body } = await session.request(path);
    assert.deepEqual([status, body], [200, closed]);
    if (!was_over) continue;
    await done(session, `${path}/open`, { reason: 'To compare' });
    const again = await done(session, '/v1/closed-months', { month });
    const { entries, journal_sha256, data } = again;
    assert.deepEqual(
      { entries, journal_sha256, data },
      { entries: closed.entries, journal_sha256: closed.journal_sha256, data: closed.data },
      `the journal of ${month} is as it was`,
    );
    note(world, 'closed month compared');
  }
}
