import type { InvoiceChange } from '../../api/objects.ts';

/** The parts that tell the lines of a bill apart, also where they have no id or are of two versions of an invoice. */
type LineName = NonNullable<InvoiceChange['line_item']>;

/** A text that is equal for the same line of two versions of a bill. */
export function lineKey(line: LineName): string {
  const { charge_id, invoice_item, type, discounts, period_start } = line;
  // A discount of an amount has a line of its own; percents are on the lines of charges.
  const discount_id = type === 'discount' ? discounts[0]?.discount_id : undefined;
  return `${charge_id ?? invoice_item?.id ?? discount_id} ${type} ${period_start} ${seriesKey(line)}`;
}

/** A text that is equal for the same price and group of a charge. */
export function seriesKey({
  price_index,
  group,
  others,
}: Pick<LineName, 'price_index' | 'group' | 'others'>): string {
  const values = group && Object.entries(group).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([price_index, values, others]);
}
