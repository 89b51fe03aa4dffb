import { isLess, NOTHING, total } from '../support/price-oracle.ts';
import { lateUntil } from './periods.ts';
import { note, type Invoice, type StoredEvent, type World } from './world.ts';

/** What is remarkable in an invoice that was just issued. */
export function noteLines(world: World, { lines, period, replaces }: Invoice): void {
  note(world, 'invoice issued');
  const is_cut = period.kind === 'part' && period.whole.parts.length > 1;
  if (is_cut) note(world, 'part of a cut period billed');
  if (period.kind === 'late') note(world, 'last invoice of late lines');
  if (replaces !== null && lines.some(({ type }) => type === 'late_usage'))
    note(world, 'late line on a replacement');
  for (const { type, amount, quantity, draws } of lines) {
    const late = type === 'late_usage' ? 'late ' : '';
    if (type === 'late_usage') note(world, 'late line');
    if (type === 'late_usage' && amount < 0n) note(world, 'late line below 0');
    if (isLess(quantity, NOTHING)) note(world, `${late}quantity below 0`);
    const credit = total(draws.map((draw) => draw.amount));
    if (isLess(NOTHING, credit)) note(world, `${late}line with credit`);
    if (isLess(credit, NOTHING)) note(world, `${late}line gives credit back`);
    if (draws.length > 1) note(world, 'line with credit of several grants');
  }
}

/** What is remarkable in an event that was just stored. */
export function noteEvent(world: World, event: StoredEvent): void {
  note(world, 'event stored');
  for (const { plan, wholes } of world.subscriptions) {
    if (!plan.charges.some(({ event_name }) => event_name === event.event_name)) continue;
    for (const { start, end, parts } of wholes) {
      if (event.timestamp < start || end <= event.timestamp) continue;
      const part = parts.find((found) => event.timestamp < found.end);
      if (part?.is_closed !== true) continue;
      note(world, event.stored_at < lateUntil(end) ? 'late event' : 'event too late');
    }
  }
}
