import { readBounds } from '../db/feed/feed.ts';
import { countOpen } from '../db/webhooks/deliveries.ts';
import { moveStatus } from '../db/webhooks/endpoints.ts';
import { takeChanges } from '../db/webhooks/intake.ts';
import type { Work } from '../db/webhooks/work.ts';
import { typesNamed } from '../domain/feed/change-types.ts';
import type { Sender } from './sender.ts';

/** Open deliveries of an endpoint beyond which it takes no more changes. */
const OPEN_MAX = 10_000;

/** The names of the types that an endpoint takes; null is all. */
export function namesOf(types: readonly string[] | null): string[] | null {
  return types === null ? null : types.flatMap(typesNamed);
}

/**
 * Makes deliveries of the next changes that an active endpoint takes. Returns whether its place has moved. Holds no
 * lock: the place moves from where it was read, or not at all.
 */
export async function takeNext({ pool }: Sender, work: Work, at: Date): Promise<boolean> {
  // What was numbered since may be of types that were added since.
  const { environment_id, id, taken_up_to, newest_sequence: up_to } = work;
  if (up_to <= taken_up_to) return false;
  const { oldest_sequence } = await readBounds(pool, environment_id);
  if ((await countOpen(pool, environment_id, id)) >= (work.is_down ? 1 : OPEN_MAX)) return false;
  if (taken_up_to < oldest_sequence - 1) {
    const reason = `changes up to ${oldest_sequence - 1} are no longer kept: read the lists again, then resume after them`;
    await moveStatus(pool, environment_id, { id, from: ['active'], to: 'parked', reason, taken_up_to });
    return false;
  }
  const request = { endpoint: work, up_to, names: namesOf(work.types), status: 'pending', at } as const;
  return (await takeChanges(pool, environment_id, request)) !== null;
}
