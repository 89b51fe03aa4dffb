import type { Invoice } from './db/invoices.ts';

const WIDTH = 120;
const AMOUNT_WIDTH = 12;
const RULE = `  ${'─'.repeat(WIDTH)}`;

type Line = Invoice['line_items'][number];
type Tier = NonNullable<Line['tiers']>[number];

/** An invoice for a terminal: what it is, its lines, the tiers and the credit behind them, the totals. */
export function invoiceTable(invoice: Invoice): string {
  const { subtotal, tax, total, currency, amount_paid, amount_due } = invoice;
  return [
    ...headOf(invoice).map((line) => `  ${line}`),
    RULE,
    ...invoice.line_items.flatMap(rowsOfLine),
    RULE,
    row('Subtotal', subtotal),
    row(`Tax ${tax.rate} %`, tax.amount),
    row(`Total ${currency}`, total),
    ...(isZero(amount_paid) ? [] : [row('Paid', amount_paid), row('Due', amount_due)]),
  ].join('\n');
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

function rowsOfLine({ description, amount, credits_applied, billable_quantity, tiers }: Line): string[] {
  const credit = `    less ${credits_applied} of credit, ${billable_quantity} to pay`;
  return [
    row(description, amount),
    ...(isZero(credits_applied) ? [] : [row(credit, '')]),
    ...(tiers ?? []).map(rowOfTier),
  ];
}

function rowOfTier({ up_to, quantity, unit_amount, flat_amount, amount }: Tier): string {
  const flat = isZero(flat_amount) ? '' : ` + ${flat_amount}`;
  const bound = up_to === null ? 'beyond' : `up to ${up_to}`;
  return row(`    ${bound.padEnd(12)} ${quantity.padStart(6)} x ${unit_amount}${flat}`, `(${amount})`);
}

function isZero(amount: string): boolean {
  return /^0(\.0*)?$/.test(amount);
}

function row(text: string, amount: string): string {
  return `  ${text.padEnd(WIDTH - AMOUNT_WIDTH)}${amount.padStart(AMOUNT_WIDTH)}`.trimEnd();
}
