import { transaction } from '../db/connection/pool.ts';
import { readBounds } from '../db/feed/feed.ts';
import { countOpen } from '../db/webhooks/deliveries.ts';
import { lockEndpoint, findTarget, moveStatus, type Target } from '../db/webhooks/endpoints.ts';
import { takeChanges } from '../db/webhooks/intake.ts';
import { typesNamed } from '../domain/feed/change-types.ts';
import { DOWN_AFTER_FAILURES } from '../domain/feed/webhook.ts';
import type { Sender } from './sender.ts';

/** Open deliveries of an endpoint beyond which it takes no more changes. */
const OPEN_MAX = 10_000;

/** Whether nothing has reached an endpoint for a while: it is tried with its oldest delivery alone. */
export function isDown({ failures }: Pick<Target, 'failures'>): boolean {
  return failures >= DOWN_AFTER_FAILURES;
}

/** The names of the types that an endpoint takes; null is all. */
export function namesOf(types: readonly string[] | null): string[] | null {
  return types === null ? null : types.flatMap(typesNamed);
}

/** Makes deliveries of the next changes that an endpoint takes. Returns whether its place has moved. */
export async function takeNext({ pool }: Sender, target: Target, at: Date): Promise<boolean> {
  const { environment_id, id } = target;
  return transaction(pool, async (db) => {
    if (!(await lockEndpoint(db, environment_id, id))) return false;
    const now = await findTarget(db, environment_id, { id, at });
    if (now?.status !== 'active') return false;
    const { taken_up_to: after } = now;
    const { oldest_sequence, newest_sequence: up_to } = await readBounds(db, environment_id);
    const open = await countOpen(db, environment_id, id);
    if (after >= up_to || open >= (isDown(now) ? 1 : OPEN_MAX)) return false;
    if (after < oldest_sequence - 1) {
      const reason = `changes up to ${oldest_sequence - 1} are no longer kept: read the lists again, then resume after them`;
      await moveStatus(db, environment_id, { id, from: ['active'], to: 'parked', reason });
      return false;
    }
    const types = namesOf(now.types);
    await takeChanges(db, environment_id, { endpoint_id: id, after, up_to, types, status: 'pending', at });
    return true;
  });
}
