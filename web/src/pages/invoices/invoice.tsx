import { useRoute } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import type { Invoice, PaymentAttempt, PaymentDispute, PaymentRefund } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { PrintedDay, Quantity, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { ClockOfCustomer } from '../parts/clock-ahead.tsx';
import { inClosedMonth } from '../parts/closed-month.tsx';
import { InvoiceLink, PlanLink, SubscriptionLink } from '../parts/links.tsx';
import { History } from '../audit-log/history.tsx';
import { PauseNotice, PauseOfCustomer } from '../collections/pause.tsx';
import { ArrivedSince } from './arrived-since.tsx';
import { BesideEarlier } from './beside-earlier.tsx';
import { BeforeFirstInvoice } from './first-draft.tsx';
import { collectionInWords } from './charge-words.ts';
import { InvoiceActions } from './invoice-actions.tsx';
import { InvoiceCharges } from './invoice-charges.tsx';
import { InvoiceChain } from './invoice-chain.tsx';
import { InvoiceCreditNotes } from './invoice-credit-notes.tsx';
import { InvoiceDocument } from './invoice-document.tsx';
import { InvoicePayments } from './invoice-payments.tsx';
import { InvoiceRefunds } from './invoice-refunds.tsx';
import { titleOf } from './invoice-title.ts';
import { useReplaceable, type Replaceable } from './replaceable.ts';

export function InvoicePage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<Invoice>(`/v1/invoices/${encodeURIComponent(id)}`);
  const charges = usePagesWithin<PaymentAttempt>('/v1/payment-attempts', { invoice_id: id, limit: '12' });
  const invoice = loaded.value;
  const refunds = usePagesWithin<PaymentRefund>('/v1/payment-refunds', { invoice_id: id, limit: '12' });
  const disputes = usePagesWithin<PaymentDispute>('/v1/payment-disputes', { invoice_id: id, limit: '12' });
  const changed = () => {
    loaded.reload();
    for (const pages of [charges, refunds, disputes]) pages.loaded.reload();
  };
  const replaceable = useReplaceable(invoice);
  useHeadingFocus(invoice?.status);
  return (
    <Page
      title={invoice === null ? 'Invoice' : titleOf(invoice)}
      actions={
        invoice !== null && (
          <InvoiceActions key={id} invoice={invoice} replaceable={replaceable} changed={changed} />
        )
      }
    >
      <Loading loaded={loaded}>
        {(loaded_invoice) => (
          <div class="stack" key={loaded_invoice.id}>
            <StateOf invoice={loaded_invoice} />
            <PauseNotice pause={loaded_invoice.collection_pause} what="this invoice" />
            {loaded_invoice.status === 'open' && <PauseOfCustomer id={loaded_invoice.customer_id} />}
            <ClockOfCustomer id={loaded_invoice.customer_id} />
            <ArrivedSince invoice={loaded_invoice} replaceable={replaceable} />
            <BesideEarlier
              path={`/v1/invoices/${loaded_invoice.id}`}
              bill={loaded_invoice}
              name={titleOf(loaded_invoice)}
            />
            <InvoiceDocument invoice={loaded_invoice} />
            <InvoicePayments invoice={loaded_invoice} changed={changed} />
            <InvoiceCharges customer_id={loaded_invoice.customer_id} pages={charges} />
            <InvoiceRefunds refunds={refunds} disputes={disputes} />
            <InvoiceCreditNotes invoice={loaded_invoice} />
            <Section title="Record">
              <Particulars invoice={loaded_invoice} replaceable={replaceable} />
            </Section>
            {(loaded_invoice.replaces ?? loaded_invoice.replaced_by) !== null && (
              <InvoiceChain key={loaded_invoice.replaced_by} invoice={loaded_invoice} />
            )}
            <History key={loaded_invoice.status} filter={{ object_id: loaded_invoice.id }} />
          </div>
        )}
      </Loading>
    </Page>
  );
}

/** Moves the focus to the heading: the button that changed the status is gone with it, and the focus on it. */
function useHeadingFocus(status: Invoice['status'] | undefined): void {
  const before = useRef(status);
  useEffect(() => {
    const has_changed = before.current !== undefined && status !== undefined && before.current !== status;
    before.current = status;
    if (has_changed) document.querySelector<HTMLElement>('h1')?.focus();
  }, [status]);
}

/** Says plainly what the document is not: final, or to be paid. */
function StateOf({ invoice }: { invoice: Invoice }) {
  const { status, void_reason, voided_at, replaced_by, timezone } = invoice;
  if (status === 'draft')
    return (
      <>
        <Notice kind="attention">
          <p>
            <strong>This is a draft, not an issued invoice.</strong> It is held for late events. Its amounts
            can change. Its credit is drawn when it is issued.
          </p>
        </Notice>
        <BeforeFirstInvoice />
      </>
    );
  if (status !== 'void') return null;
  return (
    <Notice kind="attention">
      <p>
        <strong>This invoice is void and must not be paid.</strong> Since{' '}
        <PrintedDay at={voided_at} timezone={timezone} />
        {void_reason === null ? '.' : ': '}
        {void_reason !== null && <q>{void_reason}</q>}
      </p>
      {replaced_by !== null && (
        <p>
          It was replaced by <InvoiceLink id={replaced_by} />.
        </p>
      )}
    </Notice>
  );
}

type ParticularsProps = { invoice: Invoice; replaceable: Replaceable };

function Particulars({ invoice, replaceable }: ParticularsProps) {
  const { id, subscription_id, plan_id, payment_reference, timezone } = invoice;
  const day = (at: string | null) => <PrintedDay at={at} timezone={timezone} />;
  return (
    <Definitions
      entries={[
        ['Id', <ShortId id={id} what="the invoice’s id" />],
        ['Subscription', <SubscriptionLink id={subscription_id} />],
        ['Plan', <PlanLink id={plan_id} />],
        ['Created', day(invoice.created_at)],
        ['Issued', day(invoice.issued_at)],
        ['Sent', <SentOf invoice={invoice} />],
        ['Charges', collectionInWords(invoice.collection)],
        ['Next charge', <NextCharge invoice={invoice} />],
        ['Paid', day(invoice.paid_at)],
        ['Payment reference', payment_reference],
        ['Voided', day(invoice.voided_at)],
        ['Credit used', <Quantity value={invoice.credits_applied} />],
        ...inClosedMonth('invoice', replaceable?.closed_month ?? null),
      ]}
    />
  );
}

/** When an invoice is charged next by itself. */
function NextCharge({ invoice: { collection } }: { invoice: Invoice }) {
  return collection.next_attempt_at === null ? null : <Time at={collection.next_attempt_at} />;
}

/** When an email with the invoice first went out, and its emails. */
function SentOf({ invoice: { id, number, sent_at } }: { invoice: Invoice }) {
  if (number === null) return null;
  return (
    <>
      <Time at={sent_at} /> <Link to={`/emails?invoice_id=${id}`}>Emails</Link>
    </>
  );
}
