import type { CreditNotePreview } from '../../api/objects.ts';
import { grouped } from '../../components/grouped.ts';
import { Total } from '../invoices/invoice-lines.tsx';

type Settled = 'currency' | 'subtotal' | 'tax' | 'total' | 'to_invoice' | 'to_balance' | 'outside';

/** The amounts of a credit note, or of its preview, and where the total goes. */
export function CreditAmounts({ note }: { note: Pick<CreditNotePreview, Settled> }) {
  const { currency, subtotal, tax, total, to_invoice, to_balance, outside } = note;
  return (
    <dl class="totals">
      <Total name="Net" amount={subtotal} currency={currency} />
      <Total name={`Tax, ${grouped(tax.rate)} %`} amount={tax.amount} currency={currency} />
      <Total name="Total" amount={total} currency={currency} is_strong />
      <Total name="Off the invoice" amount={to_invoice} currency={currency} />
      <Total name="To the balance" amount={to_balance} currency={currency} />
      <Total name="Paid back outside" amount={outside} currency={currency} />
    </dl>
  );
}
