import { isZero } from '../../../../src/domain/money/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { CreditNote } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, type Values } from '../../components/form.tsx';
import { Money } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';

type VoidProps = { note: CreditNote; changed: () => void };

/** Voids a credit note that was issued by mistake. */
export function VoidCreditNote({ note, changed }: VoidProps) {
  const client = useClient();
  const voidIt = async (values: Values) => {
    const { reason } = filledIn(values);
    if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
    await client.post(`/v1/credit-notes/${note.id}/void`, { reason });
    changed();
  };
  return (
    <FormButton
      label="Void"
      title={`Void ${note.number}?`}
      kind="danger"
      submit_label="Void credit note"
      submit={voidIt}
    >
      <Effects note={note} />
      <p>The credit note keeps its number. This cannot be undone.</p>
      <Field name="reason" label="Reason" hint="Shown with the credit note." />
    </FormButton>
  );
}

function Effects({ note }: { note: CreditNote }) {
  const { currency, to_invoice, to_balance, outside, invoice_number, customer_id, customer } = note;
  return (
    <ul>
      {!isZero(to_invoice) && (
        <li>
          What it took off the invoice is due again: <Money amount={to_invoice} currency={currency} /> on{' '}
          {invoice_number}.
        </li>
      )}
      {!isZero(to_balance) && (
        <li>
          <Money amount={to_balance} currency={currency} /> are taken from the balance of{' '}
          {customer.name ?? customer_id}. What other invoices have used of them is due there again.
        </li>
      )}
      {!isZero(outside) && (
        <li>
          If the <Money amount={outside} currency={currency} /> were paid back outside, ask the customer for
          them: this does not make them due.
        </li>
      )}
      <li>Its lines can be credited again.</li>
    </ul>
  );
}
