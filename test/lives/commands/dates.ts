import { later } from '../../support/ledger/test-customer.ts';
import type { Intention } from './life.ts';
import type { Instant } from '../model/world.ts';

/** The dates of subscriptions, so that no two of a customer end at the same time. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The seconds of a minute, in milliseconds, at which the chosen dates of a customer's nth subscription are. */
export function secondsOf(place: number): number {
  return place * 1001;
}

export type SubscriptionDates = { start: Instant; trial_end: Instant | null; anchor: Instant | null };

/**
 * Dates of a customer's nth subscription if it is created now. No two subscriptions of a customer end at the same time of day, nor in the
 * same seconds of a minute, since either could then be billed first. An anchor is half an hour after the start's time of day.
 */
export function datesFor(intention: Intention, place: number, now: Instant): SubscriptionDates {
  const { starts, trial_days, anchor } = intention;
  const time_ms = (1 + 7 * place) * HOUR_MS + secondsOf(place);
  const midnight = `${now.slice(0, 10)}T00:00:00.000Z`;
  const day = (days: number, ms = time_ms) => later(midnight, days * DAY_MS + ms);
  return {
    start: day(starts),
    trial_end: trial_days === null ? null : day(starts + trial_days),
    anchor: anchor === null ? null : day(starts + anchor, time_ms + HOUR_MS / 2),
  };
}
