import { isZero } from '../../../../src/domain/money/figures.ts';
import type { Invoice } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { DocumentDownloads } from '../parts/document-downloads.tsx';
import { Link } from '../../shell/environment.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { PauseInvoice } from '../collections/pause.tsx';
import { isCreditable } from '../credit-notes/creditable.ts';
import { PortalLinkButton } from '../customers/portal-link.tsx';
import { SendButton } from '../emails/send-button.tsx';
import { ApplyBalance } from './apply-balance.tsx';
import { BillAgain } from './bill-again.tsx';
import { ChargeButton } from './charge-button.tsx';
import { PaymentLink } from './payment-link.tsx';
import { RecordPayment } from './record-payment.tsx';
import type { Replaceable } from './replaceable.ts';
import { VoidInvoice } from './void-invoice.tsx';

type ActionsProps = { invoice: Invoice; changed: () => void };

/** Buttons for the actions that an invoice allows now. */
export function InvoiceActions({
  invoice,
  replaceable,
  changed,
}: ActionsProps & { replaceable: Replaceable }) {
  const { id, status } = invoice;
  return (
    <>
      {status === 'draft' && (
        <May use="finalizeInvoice">
          <Finalize invoice={invoice} changed={changed} />
        </May>
      )}
      {status === 'open' && <WaysToPay invoice={invoice} changed={changed} />}
      {(status === 'open' || invoice.collection_pause !== null) && (
        <PauseInvoice
          path={`/v1/invoices/${id}`}
          name={invoice.number ?? id}
          pause={invoice.collection_pause}
          changed={changed}
        />
      )}
      {isCreditable(invoice) && (
        <May use="createCreditNote">
          <Link to={`/invoices/${id}/credit`} is_button>
            Credit…
          </Link>
        </May>
      )}
      {status === 'void' && (
        <May use="generateInvoices">
          <BillAgain invoice={invoice} changed={changed} />
        </May>
      )}
      {replaceable?.is_replaceable === true && (
        <>
          <May use="regenerateInvoice">
            <Link to={`/invoices/${id}/regenerate`} is_button>
              Regenerate
            </Link>
          </May>
          <May use="voidInvoice">
            <VoidInvoice invoice={invoice} changed={changed} />
          </May>
        </>
      )}
      <WaysToPayer invoice={invoice} />
    </>
  );
}

/** Buttons that pay an open invoice: by a payment that has come, by the balance, by a charge. */
function WaysToPay({ invoice, changed }: ActionsProps) {
  return (
    <>
      <May use="createPayment">
        <RecordPayment invoice={invoice} changed={changed} />
      </May>
      {!isZero(invoice.amount_due) && (
        <>
          <May use="chargeInvoice">
            <ChargeButton invoice={invoice} changed={changed} />
          </May>
          <May use="createPaymentSession">
            <PaymentLink invoice={invoice} />
          </May>
        </>
      )}
      <May use="applyBalance">
        <ApplyBalance invoice={invoice} changed={changed} />
      </May>
    </>
  );
}

/** Buttons that bring the document to its payer: by email, by a link, as a file. */
function WaysToPayer({ invoice }: { invoice: Invoice }) {
  const { id, number, status, customer_id, customer } = invoice;
  const is_payable = status === 'open' || status === 'paid';
  return (
    <>
      {is_payable && (
        <May use="sendInvoice">
          <SendButton title={`Send ${number}?`} path={`/v1/invoices/${id}/send`} />
        </May>
      )}
      {number !== null && (
        <PortalLinkButton customer_id={customer_id} name={customer.name ?? customer_id} invoice={invoice} />
      )}
      <DocumentDownloads
        path={`/v1/invoices/${id}`}
        name={number ?? id}
        customer_id={customer_id}
        has_e_invoice={is_payable}
      />
    </>
  );
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
