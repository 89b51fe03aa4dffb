import type { ComposedLine } from '../lines/line-item.ts';
import { type Series, seriesKey, seriesOf } from '../pricing/series.ts';

/** Identifies a line across two versions of an invoice. */
export type LineName = Series & {
  type: ComposedLine['type'];
  charge_id: string | null;
  invoice_item: ComposedLine['invoice_item'];
  discounts: ComposedLine['discounts'];
  event_name: string | null;
  period_start: string;
  period_end: string;
};

/** The fields to compare. Decimals are canonical, so that equal values are equal texts. */
type ComparedLine = LineName & {
  quantity: string;
  skipped_events: number;
  credits_applied: string;
  billable_quantity: string;
  amount: string;
};

export type ComparedInvoice = {
  line_items: readonly ComparedLine[];
  subtotal: string;
  tax: { rate: string; amount: string; treatment: string };
  total: string;
  credits_applied: string;
};

/** Added events of a line that a preview names at most, the newest. */
export const ADDED_EVENTS_SHOWN_MAX = 100;

/**
 * A field that differs. `line_item` is null for a field of the invoice itself; `before` or `after` is null if that
 * version has no such line.
 */
export type Change = {
  line_item: LineName | null;
  field: string;
  before: string | null;
  after: string | null;
};

/** Differences field by field: lines in the order of the proposed invoice, then removed lines, then totals. */
export function changesOf(current: ComparedInvoice, proposed: ComparedInvoice): Change[] {
  const gone = current.line_items.filter((line) => !hasLine(proposed, line));
  const lines = [...proposed.line_items, ...gone].flatMap((line) =>
    changesOfFields(nameOf(line), fieldsOf(findLine(current, line)), fieldsOf(findLine(proposed, line))),
  );
  return [...lines, ...changesOfFields(null, totalsOf(current), totalsOf(proposed))];
}

type Fields = Readonly<Record<string, string>>;

function changesOfFields(line_item: LineName | null, before: Fields, after: Fields): Change[] {
  const fields = Object.keys({ ...before, ...after });
  return fields
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      line_item,
      field,
      before: before[field] ?? null,
      after: after[field] ?? null,
    }));
}

function fieldsOf(line: ComparedLine | undefined): Fields {
  if (line === undefined) return {};
  const { quantity, skipped_events, credits_applied, billable_quantity, amount } = line;
  return { quantity, skipped_events: `${skipped_events}`, credits_applied, billable_quantity, amount };
}

function totalsOf({ subtotal, tax, total, credits_applied }: ComparedInvoice): Fields {
  return {
    credits_applied,
    subtotal,
    'tax.treatment': tax.treatment,
    'tax.rate': tax.rate,
    'tax.amount': tax.amount,
    total,
  };
}

function findLine({ line_items }: ComparedInvoice, line: LineName): ComparedLine | undefined {
  return line_items.find((other) => isSame(other, line));
}

function hasLine(invoice: ComparedInvoice, line: LineName): boolean {
  return findLine(invoice, line) !== undefined;
}

function isSame(a: LineName, b: LineName): boolean {
  return (
    a.charge_id === b.charge_id &&
    seriesKey(a) === seriesKey(b) &&
    a.invoice_item?.id === b.invoice_item?.id &&
    discountOf(a) === discountOf(b) &&
    a.type === b.type &&
    a.period_start === b.period_start
  );
}

/** The discount of an amount that a line is of; null for another line, whose percents may differ. */
function discountOf({ type, discounts }: LineName): string | null {
  return type === 'discount' ? discounts[0]!.discount_id : null;
}

function nameOf(line: LineName): LineName {
  const { type, charge_id, invoice_item, discounts, event_name, period_start, period_end } = line;
  return {
    type,
    charge_id,
    ...seriesOf(line),
    invoice_item,
    discounts,
    event_name,
    period_start,
    period_end,
  };
}
