import { useRef } from 'preact/hooks';
import { faultAt } from '../../api/fault.ts';
import type { Invoice, MatchCandidate } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import type { Values } from '../../components/form.tsx';
import { grouped } from '../../components/grouped.ts';
import { InvoiceField } from '../choices/invoice-field.tsx';
import { offeredTo, type Entry } from './booking.ts';

type FindInvoiceProps = { entry: Entry; change: (entry: Entry, changes: Partial<Entry>) => void };

/** Finds an open invoice that a row pays and that is not offered for it, and chooses it. */
export function FindInvoice({ entry, change }: FindInvoiceProps) {
  const { row, added, picked } = entry;
  const chosen = useRef<Invoice | null>(null);
  const submit = async ({ invoice_id }: Values) => {
    // The ref keeps the invoice that was chosen in the dialog before.
    const invoice = chosen.current;
    if (invoice === null || invoice.id !== invoice_id)
      throw faultAt('invoice_id', 'missing', 'Choose an invoice from the list.');
    const candidate = candidateOf(invoice);
    const is_offered = offeredTo(entry).some(({ id }) => id === candidate.id);
    const of_customer = picked.filter(
      ({ id, customer_id }) => id !== candidate.id && customer_id === candidate.customer_id,
    );
    change(entry, {
      is_left_out: false,
      outcome: null,
      added: is_offered ? added : [...added, candidate],
      picked: [...of_customer, candidate],
    });
  };
  return (
    <FormButton
      label="Find an invoice"
      title={`Find an invoice that line ${row.line} pays`}
      submit_label="Choose"
      submit={submit}
    >
      <p>{`${grouped(row.amount)} ${row.currency}: ${row.reference}`}</p>
      <div class="choices-room">
        <InvoiceField currency={row.currency} change={(invoice) => (chosen.current = invoice)} />
      </div>
    </FormButton>
  );
}

function candidateOf({ customer_id, id, number, amount_due }: Invoice): MatchCandidate {
  return { customer_id, id, number: number ?? id, amount: amount_due };
}
