import { instantAt, localAt } from '../../support/oracles/zone-oracle.ts';
import { later, type Instant, type Invoice, type World } from './world.ts';
import type { Pause } from './collection.ts';

/** Pauses of collection (billing.md 18). */

const DAY_MS = 86_400_000;

/** The day of an instant in the zone of the customer. */
export function dayOf({ timezone }: World, instant: Instant): string {
  return localAt(timezone, instant).slice(0, 10);
}

/** The day that is this many days after a day. */
export function dayAfter(day: string, days: number): string {
  return later(`${day}T00:00:00.000Z`, days * DAY_MS).slice(0, 10);
}

/** The end of a day in the zone of the customer. */
export function endOfDay({ timezone }: World, day: string): Instant {
  return instantAt(timezone, `${dayAfter(day, 1)}T00:00:00.000Z`);
}

/** A pause that lasts now; null once its last day is over. */
export function lasting(world: World, pause: Pause | null): Pause | null {
  return pause === null || (pause.until !== null && dayOf(world, world.now) > pause.until) ? null : pause;
}

/** The pause of an invoice, or that of its customer, for null. */
export function pauseOf(world: World, invoice: Invoice | null): Pause | null {
  const { pause, pauses } = world.collection;
  return lasting(world, invoice === null ? pause : (pauses.get(invoice) ?? null));
}

/** Whether collection of an invoice is paused, by its own pause or that of its customer. */
export function isPaused(world: World, invoice: Invoice): boolean {
  return pauseOf(world, invoice) !== null || pauseOf(world, null) !== null;
}

type Terms = Pick<Pause, 'reason' | 'until'>;

/** Pauses an open invoice, or the customer, for null; false if it is paused, or not open. */
export function pauseCollection(world: World, invoice: Invoice | null, terms: Terms): boolean {
  const pause = { ...terms, is_automatic: false };
  if (pauseOf(world, invoice) !== null) return false;
  if (invoice !== null && invoice.status !== 'open') return false;
  if (invoice === null) world.collection.pause = pause;
  else world.collection.pauses.set(invoice, pause);
  return true;
}

/** Ends the pause of an invoice, or of the customer, for null; false if it is not paused. */
export function resumeCollection(world: World, invoice: Invoice | null): boolean {
  if (pauseOf(world, invoice) === null) return false;
  if (invoice === null) world.collection.pause = null;
  else world.collection.pauses.delete(invoice);
  return true;
}
