import type { Invoice } from '../src/objects/invoice.ts';

type Line = Invoice['line_items'][number];
type Tier = NonNullable<Line['tiers']>[number];
/** Null is a horizontal rule. */
type Row = { text: string; amount: string } | null;

const TEXT_WIDTH_MIN = 90;
const AMOUNT_WIDTH = 16;

/** An invoice as text for a terminal: head, lines with their credit and tiers, totals. */
export function invoiceTable(invoice: Invoice): string {
  const { subtotal, tax, total, currency, amount_paid, amount_due, balance_applied, credited } = invoice;
  const rows: Row[] = [
    null,
    ...invoice.line_items.flatMap(rowsOfLine),
    null,
    { text: 'Subtotal', amount: subtotal },
    { text: `Tax ${tax.rate} %`, amount: tax.amount },
    { text: `Total ${currency}`, amount: total },
    { text: 'Paid', amount: amount_paid },
    ...(isZero(balance_applied) ? [] : [{ text: 'From the balance', amount: balance_applied }]),
    ...(isZero(credited) ? [] : [{ text: 'Credited', amount: credited }]),
    { text: 'Due', amount: amount_due },
  ];
  const width = Math.max(TEXT_WIDTH_MIN, ...rows.map((row) => row?.text.length ?? 0));
  const lines = rows.map((row) =>
    row === null
      ? '─'.repeat(width + AMOUNT_WIDTH)
      : `${row.text.padEnd(width)}${row.amount.padStart(AMOUNT_WIDTH)}`.trimEnd(),
  );
  return [...headOf(invoice), ...lines].map((line) => `  ${line}`).join('\n');
}

function headOf(invoice: Invoice): string[] {
  const { status, replaces, replaced_by, voided_at, void_reason } = invoice;
  const mark = status === 'void' ? 'VOID' : status;
  return [
    `${invoice.number ?? 'Draft'} · ${mark} · ${invoice.id}`,
    `${invoice.period_start} to ${invoice.period_end}`,
    `Customer ${invoice.customer_id}, ${invoice.subscription_id}`,
    ...(voided_at === null ? [] : [`Void since ${voided_at}: ${void_reason ?? 'no reason given'}`]),
    ...(replaces === null ? [] : [`Replaces ${replaces}`]),
    ...(replaced_by === null ? [] : [`Replaced by ${replaced_by}`]),
  ];
}

function rowsOfLine(line: Line): Row[] {
  const { description, amount, credits_applied, billable_quantity, tiers } = line;
  const credit = `    less ${credits_applied} of credit, ${billable_quantity} to pay`;
  return [
    { text: description, amount },
    ...(isZero(credits_applied) ? [] : [{ text: credit, amount: '' }]),
    ...(tiers ?? []).map(rowOfTier),
  ];
}

function rowOfTier({ up_to, quantity, unit_amount, flat_amount, amount }: Tier): Row {
  const flat = isZero(flat_amount) ? '' : ` + ${flat_amount}`;
  const bound = up_to === null ? 'beyond' : `up to ${up_to}`;
  const text = `    ${bound.padEnd(12)} ${quantity.padStart(6)} x ${unit_amount}${flat}`;
  return { text, amount: `(${amount})` };
}

function isZero(amount: string): boolean {
  return /^0(\.0*)?$/.test(amount);
}
