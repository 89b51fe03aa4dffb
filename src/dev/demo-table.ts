/** What the demo prints of an invoice's JSON. */
export type PrintedInvoice = {
  id: string;
  number: string | null;
  status: string;
  currency: string;
  period_start: string;
  period_end: string;
  line_items: {
    description: string;
    quantity: string;
    credits_applied: string;
    amount: string;
    tiers:
      | { up_to: string | null; quantity: string; unit_amount: string; flat_amount: string; amount: string }[]
      | null;
  }[];
  subtotal: string;
  tax: { rate: string; amount: string };
  total: string;
};

const WIDTH = 120;

/** Prints an invoice as a table: its lines, the tiers behind them, the totals. */
export function printInvoice(invoice: PrintedInvoice): void {
  const { currency } = invoice;
  console.log(`\n  ${invoice.number ?? 'Draft'} · ${invoice.status} · ${invoice.id}`);
  console.log(`  ${invoice.period_start} to ${invoice.period_end}`);
  rule();
  for (const line of invoice.line_items) {
    row(line.description, line.amount);
    for (const tier of line.tiers ?? []) {
      const flat = /^0(\.0*)?$/.test(tier.flat_amount) ? '' : ` + ${tier.flat_amount}`;
      const bound = tier.up_to === null ? 'beyond' : `up to ${tier.up_to}`;
      row(
        `    ${bound.padEnd(12)} ${tier.quantity.padStart(6)} x ${tier.unit_amount}${flat}`,
        `(${tier.amount})`,
      );
    }
  }
  rule();
  row('Subtotal', invoice.subtotal);
  row(`Tax ${invoice.tax.rate} %`, invoice.tax.amount);
  row(`Total ${currency}`, invoice.total);
  console.log();
}

function rule(): void {
  console.log(`  ${'─'.repeat(WIDTH)}`);
}

function row(text: string, amount: string): void {
  console.log(`  ${text.padEnd(WIDTH - 12)}${amount.padStart(12)}`);
}
