import type { ComponentChildren } from 'preact';
import type { EventBilling, Invoice } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useMay } from '../../shell/session.tsx';
import { monthInWords } from '../month-end/month.ts';
import { useReplaceable } from '../invoices/replaceable.ts';

type SentenceProps = { billing: EventBilling; customer_id: string; timezone: string };

/** The billing of an event by one charge, and what a person can do about it, in a sentence with links. */
export function BillingSentence({ billing, customer_id, timezone }: SentenceProps) {
  switch (billing.status) {
    case 'billed':
      return <Billed billing={billing} />;
    case 'pending':
      return <Pending billing={billing} timezone={timezone} />;
    case 'late':
      return <Late billing={billing} timezone={timezone} />;
    case 'too_late':
      return <TooLate billing={billing} />;
    case 'trial':
      return <>In the trial of the subscription: its usage is free.</>;
    case 'unrated':
      return <Unrated billing={billing} customer_id={customer_id} />;
  }
}

type Props = { billing: EventBilling };
type PropsOfDays = Props & { timezone: string };

function Billed({ billing }: Props) {
  const { invoice_id, period_invoice_id } = billing;
  return (
    <>
      Billed on <OwnInvoice billing={billing} />
      {period_invoice_id !== null && period_invoice_id !== invoice_id && (
        <>
          , beside <PeriodInvoice billing={billing} /> of its own period
        </>
      )}
      .
    </>
  );
}

function Pending({ billing, timezone }: PropsOfDays) {
  const { reason, invoice_id, period_start, period_invoice_id, period_invoice_number, expected_at } = billing;
  const issue = <Issue billing={billing} timezone={timezone} />;
  if (reason === 'invoice_void')
    return (
      <>
        <PeriodInvoice billing={billing} />, the invoice of its period, is void. The event is on no invoice
        until that period is billed again.
      </>
    );
  if (invoice_id !== null)
    return (
      <>
        On <OwnInvoice billing={billing} />
        {invoice_id === period_invoice_id ? ' of its period' : ', as late usage'}, which{' '}
        {expected_at === null ? (
          'waits for a person to finalize it'
        ) : (
          <>
            is issued on <PrintedDay at={expected_at} timezone={timezone} />
          </>
        )}
        .
      </>
    );
  if (period_start === null)
    return <>Its period is yet to begin in billing; the invoice of that period takes it.</>;
  if (period_invoice_id === null) return <>In a period that is not billed yet; {issue}.</>;
  if (period_invoice_number === null)
    return (
      <>
        Arrived after <PeriodInvoice billing={billing} /> of its period was counted; {issue}.
      </>
    );
  return (
    <>
      Arrived after <PeriodInvoice billing={billing} /> was issued, which bills a part of its period; with the
      next part, {issue}.
    </>
  );
}

/** The words after the semicolon: when the invoice is issued, or that a person has to act. */
function Issue({ billing: { expected_at }, timezone }: PropsOfDays) {
  if (expected_at === null) return <>a person has to act before the invoice is issued</>;
  return (
    <>
      on the invoice of <PrintedDay at={expected_at} timezone={timezone} />
    </>
  );
}

function Late({ billing, timezone }: PropsOfDays) {
  const { expected_at } = billing;
  const is_replaceable = useInvoiceOfPeriod(billing)?.is_replaceable === true;
  const may = useMay('regenerateInvoice') && is_replaceable;
  const regenerate = may && <Regenerate billing={billing}>regenerate</Regenerate>;
  return (
    <>
      Arrived after <PeriodInvoice billing={billing} /> was issued;{' '}
      {expected_at === null ? (
        <>no later invoice takes it before a person acts{may && <>: {regenerate}</>}</>
      ) : (
        <>
          on the next invoice, of <PrintedDay at={expected_at} timezone={timezone} />
          {may && <>, or {regenerate}</>}
        </>
      )}
      .
    </>
  );
}

function TooLate({ billing }: Props) {
  const found = useInvoiceOfPeriod(billing);
  const may = useMay('regenerateInvoice') && found !== null;
  const arrived = (
    <>
      Arrived after <PeriodInvoice billing={billing} /> was issued, and too late for a later invoice
    </>
  );
  if (found?.is_replaceable === false)
    return (
      <>
        {arrived}. It is not billed:{' '}
        {found.closed_month === null
          ? 'a payment or a credit note keeps'
          : `${monthInWords(found.closed_month)} is closed, which keeps`}{' '}
        that invoice from being regenerated.
      </>
    );
  const condition = 'if that invoice is regenerated';
  return (
    <>
      {arrived}: only {may ? <Regenerate billing={billing}>{condition}</Regenerate> : condition} is it billed.
    </>
  );
}

/** Whether the invoice of the event's period may be regenerated; null while that is not known. */
function useInvoiceOfPeriod({ period_invoice_id }: EventBilling): ReturnType<typeof useReplaceable> {
  const path = period_invoice_id === null ? null : `/v1/invoices/${period_invoice_id}`;
  return useReplaceable(useLoad<Invoice>(path).value);
}

type RegenerateProps = Props & { children: ComponentChildren };

function Regenerate({ billing: { period_invoice_id }, children }: RegenerateProps) {
  return <Link to={`/invoices/${period_invoice_id}/regenerate`}>{children}</Link>;
}

function OwnInvoice({ billing: { invoice_id, invoice_number, line_item_id } }: Props) {
  return <Link to={`/invoices/${invoice_id}#${line_item_id}`}>{invoice_number ?? 'the draft'}</Link>;
}

function PeriodInvoice({ billing: { period_invoice_id, period_invoice_number } }: Props) {
  if (period_invoice_id === null) return <>the invoice of its period</>;
  return <Link to={`/invoices/${period_invoice_id}`}>{period_invoice_number ?? 'the draft'}</Link>;
}

/** The API's reasons as sentences. */
const REASONS: Readonly<Record<NonNullable<EventBilling['reason']>, string>> = {
  no_subscription: 'The customer has no subscription.',
  no_charge: "No charge of the customer's plans has this event name.",
  filters_do_not_match: 'A charge has this event name, but the properties do not match its filters.',
  no_price:
    'A charge has this event name, but none of its prices is for the properties of the event, and it has no price for all others.',
  before_start: 'The timestamp is before the start of the subscription.',
  after_cancellation: 'The timestamp is after the end of the subscription.',
  property_missing: 'The event does not have the property that the charge measures.',
  property_not_usable: 'The charge cannot use the value of the property that it measures.',
  invoice_void: 'The invoice of its period is void.',
};

function Unrated({ billing: { reason }, customer_id }: Props & { customer_id: string }) {
  return (
    <>
      {reason !== null && REASONS[reason]} No invoice will have it.
      {reason === 'no_subscription' && (
        <>
          {' '}
          <Link to={`/customers/${encodeURIComponent(customer_id)}`}>Subscribe the customer</Link> to a plan
          that counts it.
        </>
      )}
    </>
  );
}
