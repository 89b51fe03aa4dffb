import { isZero } from '../../../../src/domain/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { Invoice } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Field, filledIn } from '../../components/form.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

type ActionsProps = { invoice: Invoice; changed: () => void };

/** What can be done to an invoice as it is now. */
export function InvoiceActions({ invoice, changed }: ActionsProps) {
  const { id, status } = invoice;
  return (
    <>
      {status === 'draft' && <Finalize invoice={invoice} changed={changed} />}
      {status === 'open' && <Pay invoice={invoice} changed={changed} />}
      {isReplaceable(invoice) && (
        <>
          <Link to={`/invoices/${id}/regenerate`} is_button>
            Regenerate
          </Link>
          <Void invoice={invoice} changed={changed} />
        </>
      )}
      <DownloadButton label="PDF" path={`/v1/invoices/${id}.pdf`} name={`${invoice.number ?? id}.pdf`} />
    </>
  );
}

/** Any invoice that is not void and has no payment that stands. */
export function isReplaceable({ status, amount_paid }: Invoice): boolean {
  return status !== 'void' && isZero(amount_paid);
}

function Finalize({ invoice: { id }, changed }: ActionsProps) {
  const client = useClient();
  const finalize = async () => {
    await client.post(`/v1/invoices/${id}/finalize`);
    changed();
  };
  return (
    <QuestionButton label="Finalize" kind="primary" question="Issue this draft now?" perform={finalize}>
      <p>
        The invoice gets its number, its credit is drawn, and it can no longer change. Events that arrive from
        now on are late usage on the next invoice.
      </p>
    </QuestionButton>
  );
}

function Pay({ invoice, changed }: ActionsProps) {
  const client = useClient();
  return (
    <FormButton
      label="Record payment"
      title={`Record a payment of ${invoice.number ?? 'this invoice'}`}
      kind="primary"
      submit_label="Record payment"
      submit={async (values) => {
        await client.post(`/v1/invoices/${invoice.id}/payments`, filledIn(values));
        changed();
      }}
    >
      <p>An invoice with a payment cannot be voided or regenerated unless the payment is reversed.</p>
      <Field
        name="amount"
        label={`Amount in ${invoice.currency}`}
        hint="All that is due, or a part of it."
        keyboard="decimal"
        initial={invoice.amount_due}
      />
      <Field
        name="reference"
        label="Reference"
        hint="Identifies the payment, such as the reference of the bank."
      />
      <Field name="paid_at" label="Paid on (UTC)" hint="If empty, now." type="date" />
    </FormButton>
  );
}

function Void({ invoice, changed }: ActionsProps) {
  const client = useClient();
  return (
    <FormButton
      label="Void"
      title={`Void ${invoice.number ?? 'this draft'}?`}
      kind="danger"
      submit_label="Void invoice"
      submit={async (values) => {
        const { reason } = filledIn(values);
        if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing; enter a reason');
        await client.post(`/v1/invoices/${invoice.id}/void`, { reason });
        changed();
      }}
    >
      <ul>
        <li>The invoice no longer has to be paid.{invoice.number !== null && ' It keeps its number.'}</li>
        <li>Its credit is returned to the grants.</li>
        <li>Late usage on the invoice is billed on the next invoice.</li>
        <li>The period is billed again only if you generate a new invoice.</li>
      </ul>
      <p>This cannot be undone. To correct an invoice, regenerate it instead.</p>
      <Field name="reason" label="Reason" hint="Shown with the invoice." />
    </FormButton>
  );
}
