import { faultAt } from '../../api/fault.ts';
import type { Invoice } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, type Values } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { isCreditable } from '../credit-notes/creditable.ts';

type VoidProps = { invoice: Invoice; changed: () => void };

/** Voids an invoice; for one that may have been sent it offers a credit note first. */
export function VoidInvoice({ invoice, changed }: VoidProps) {
  const client = useClient();
  const voidIt = async (values: Values) => {
    const { reason } = filledIn(values);
    if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
    await client.post(`/v1/invoices/${invoice.id}/void`, { reason });
    changed();
  };
  return (
    <FormButton
      label="Void"
      title={`Void ${invoice.number ?? 'this draft'}?`}
      kind="danger"
      submit_label="Void invoice"
      submit={voidIt}
    >
      {isCreditable(invoice) && <CreditInstead invoice={invoice} />}
      <ul>
        <li>The invoice no longer has to be paid.{invoice.number !== null && ' It keeps its number.'}</li>
        <li>Its credit is returned to the grants.</li>
        <li>What it took from the customer’s balance is returned.</li>
        <li>Late usage on the invoice is billed on the next invoice.</li>
        <li>The period is billed again only if you generate a new invoice.</li>
      </ul>
      <p>This cannot be undone. To correct an invoice, regenerate it instead.</p>
      <Field name="reason" label="Reason" hint="Shown with the invoice." />
    </FormButton>
  );
}

function CreditInstead({ invoice: { id } }: { invoice: Invoice }) {
  return (
    <Notice kind="attention">
      <p>
        <strong>Void is for invoices that were not sent.</strong> If the customer has this invoice, credit all
        of it: the credit note is the customer’s document of the correction.
      </p>
      <Link to={`/invoices/${id}/credit?all=yes`} is_button>
        Credit all of it
      </Link>
    </Notice>
  );
}
