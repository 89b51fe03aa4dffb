import { isZero } from '../../../../src/domain/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { Invoice } from '../../api/objects.ts';
import { ActionButton, QuestionButton } from '../../components/action-button.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
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
      <Download invoice={invoice} />
    </>
  );
}

/** A draft, an open one, or one that was paid by nothing. */
export function isReplaceable({ status, amount_paid }: Invoice): boolean {
  return status === 'draft' || status === 'open' || (status === 'paid' && isZero(amount_paid));
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
        It gets its number, its credit is drawn, and it cannot be edited any more. Events that come from now
        on are late: they reach the next invoice.
      </p>
    </QuestionButton>
  );
}

function Pay({ invoice, changed }: ActionsProps) {
  const client = useClient();
  return (
    <FormButton
      label="Record payment"
      title={`Record that ${invoice.amount_due} ${invoice.currency} was paid`}
      kind="primary"
      submit_label="Record payment"
      submit={async (values) => {
        await client.post(`/v1/invoices/${invoice.id}/pay`, filledIn(values));
        changed();
      }}
    >
      <p>A paid invoice stays as it is: it cannot be voided or regenerated any more.</p>
      <Field name="reference" label="Reference" hint="What finds the payment again, such as its bank’s." />
      <Field name="paid_at" label="Paid on (UTC)" hint="Left empty, it is now." type="date" />
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
      submit_label="Void it"
      submit={async (values) => {
        const { reason } = filledIn(values);
        if (reason === undefined) throw faultAt('reason', 'missing', 'reason is missing: say why');
        await client.post(`/v1/invoices/${invoice.id}/void`, { reason });
        changed();
      }}
    >
      <ul>
        <li>Nothing is to be paid on it any more.{invoice.number !== null && ' It keeps its number.'}</li>
        <li>The credit that it drew returns to its grants.</li>
        <li>Late usage that it billed is late again, and reaches the next invoice.</li>
        <li>Its period is billed again only when somebody generates its invoice.</li>
      </ul>
      <p>This cannot be undone. To correct an invoice, regenerate it instead.</p>
      <Field name="reason" label="Reason" hint="Shown with the invoice, for whoever asks later." />
    </FormButton>
  );
}

/** A link would not say which environment the invoice is of. */
function Download({ invoice: { id, number } }: { invoice: Invoice }) {
  const client = useClient();
  const download = async () => {
    const address = URL.createObjectURL(await client.file(`/v1/invoices/${id}.pdf`));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${number ?? id}.pdf`;
    link.click();
    // The browser has taken it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };
  return <ActionButton label="PDF" perform={download} done_label="" />;
}
