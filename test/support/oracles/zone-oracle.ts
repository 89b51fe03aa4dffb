import type { Interval } from '../../../src/domain/time/period.ts';
import { oracleBoundary } from './calendar-oracle.ts';

/** A stretch of time in which the clocks of a zone do not change; instants and the offset from UTC in milliseconds, `to` excluded. */
export type Stretch = { from: number; to: number; offset: number };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const TABLE = { from: Date.UTC(2005, 0), to: Date.UTC(new Date().getUTCFullYear() + 12, 0) };
/** Step shorter than any time between two clock changes: Morocco stands back for a month. */
const STEP_MS = 10 * DAY_MS;

const tables = new Map<string, readonly Stretch[]>();

/** The clock changes of a zone from 2005 to eleven years ahead, read from Intl. With the counting of days in calendar-oracle.ts it needs no Temporal. */
export function stretchesOf(zone: string): readonly Stretch[] {
  const known = tables.get(zone);
  if (known !== undefined) return known;
  const stretches = tableOf(zone);
  tables.set(zone, stretches);
  return stretches;
}

/** The anchor plus a number of intervals in the local time of a zone, by billing.md 1. */
export function zonedBoundary(zone: string, anchor: string, interval: Interval, intervals: number): string {
  if (zone === 'UTC') return oracleBoundary(anchor, interval, intervals);
  return intervals === 0
    ? anchor
    : instantAt(zone, oracleBoundary(localAt(zone, anchor), interval, intervals));
}

/** The local time of an instant; in the form of an instant in UTC, which it is not. */
export function localAt(zone: string, instant: string): string {
  const at = Date.parse(instant);
  const { offset } = stretchesOf(zone).find(({ from, to }) => from <= at && at < to)!;
  return textOf(at + offset);
}

/** The instant of a local time: the first of two; one that is skipped is as long after the change as it lies in the gap. */
export function instantAt(zone: string, local: string): string {
  const wall = Date.parse(local);
  const stretches = stretchesOf(zone);
  const holding = stretches.find(({ from, to, offset }) => from <= wall - offset && wall - offset < to);
  const before = holding ?? stretches.findLast(({ to, offset }) => to <= wall - offset)!;
  return textOf(wall - before.offset);
}

function tableOf(zone: string): Stretch[] {
  const offsetAt = offsetsOf(zone);
  const stretches: Stretch[] = [{ ...TABLE, offset: offsetAt(TABLE.from) }];
  for (let at = TABLE.from; at < TABLE.to; at += STEP_MS) {
    const last = stretches.at(-1)!;
    if (offsetAt(at) === last.offset) continue;
    last.to = changeIn(at - STEP_MS, at, (instant) => offsetAt(instant) === last.offset);
    stretches.push({ from: last.to, to: TABLE.to, offset: offsetAt(at) });
  }
  return stretches;
}

/** The first instant at which `isBefore` is false; it is true at `low` and false at `high`. */
function changeIn(low: number, high: number, isBefore: (instant: number) => boolean): number {
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function offsetsOf(zone: string): (instant: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  return (instant) => {
    const [, sign = '+', hours = '0', minutes = '0'] =
      /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(format.format(instant)) ?? [];
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  };
}

function textOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
