import { lineKey, seriesOf } from '../pricing/series.ts';
import type { ComposedLine } from './line-item.ts';

/** A text that is equal for the lines of one invoice item, and for those that share one rule, as `lineKey`. */
export function keyOfLine(line: ComposedLine): string {
  const { charge_id, invoice_item, full_period_start } = line;
  if (charge_id !== null) return lineKey({ ...line, charge_id, series: seriesOf(line) });
  const discount_id = line.discounts[0]?.discount_id ?? null;
  return invoice_item?.id ?? periodLineKey({ discount_id, full_period_start });
}

/** A text that is equal for the lines of a discount in a full period, or for those of its minimum. */
export function periodLineKey(line: { discount_id: string | null; full_period_start: string }): string {
  return JSON.stringify([line.discount_id ?? 'minimum', line.full_period_start]);
}
