import { closeStale } from './payment-pages.ts';
import { runSchedules } from './schedules.ts';
import type { World } from './world.ts';

/** Does what follows a command by itself: charges that have come due, and pages that are closed. */
export function settleCollection(world: World): void {
  runSchedules(world);
  closeStale(world);
}
