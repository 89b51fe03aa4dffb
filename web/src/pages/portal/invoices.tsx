import { useEffect, useRef, useState } from 'preact/hooks';
import type { Customer, Invoice } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PageButtons } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, Period, PrintedDay } from '../../components/values.tsx';
import { BilledMonths } from '../customers/billed-months.tsx';
import { BesideEarlier } from '../invoices/beside-earlier.tsx';
import { InvoiceDocument } from '../invoices/invoice-document.tsx';
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { titleOf } from '../invoices/invoice-title.ts';
import { monthInWords } from '../month-end/month.ts';
import { Downloads, PdfButton } from './downloads.tsx';
import { PayButton } from './pay.tsx';

type InvoicesProps = { customer: Customer; timezone: string };

/**
 * The invoices of the payer: twelve months in bars, then all or those of a month, newest first. Each opens to the
 * document, whose lines open down to their events.
 */
export function Invoices({ customer, timezone }: InvoicesProps) {
  const month = useMonthOfAddress();
  return (
    <Section title="Invoices">
      <BilledMonths customer={customer} timezone={timezone} addressOf={(of_bar) => `#${of_bar}`} />
      {month !== null && (
        <p class="faint">
          Invoices of {monthInWords(month)}.{' '}
          <button type="button" onClick={() => (location.hash = 'all')}>
            Show all
          </button>
        </p>
      )}
      <InvoiceList key={month} month={month} />
    </Section>
  );
}

/** The month that the address names behind its #, as a bar does; null for all. */
function useMonthOfAddress(): string | null {
  const [month, setMonth] = useState(monthOfAddress);
  useEffect(() => {
    const change = () => setMonth(monthOfAddress());
    addEventListener('hashchange', change);
    return () => removeEventListener('hashchange', change);
  }, []);
  return month;
}

function monthOfAddress(): string | null {
  return /^#(\d{4}-\d{2})$/.exec(location.hash)?.[1] ?? null;
}

function InvoiceList({ month }: { month: string | null }) {
  const pages = usePagesWithin<Invoice>('/v1/invoices', { limit: '12', period_month: month ?? undefined });
  return (
    <Loading loaded={pages.loaded}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty title={month === null ? 'No invoices yet' : 'No invoice of this month'}>
            {month === null && <p>The first one comes when a billing period ends.</p>}
          </Empty>
        ) : (
          <>
            <ul class="lines">
              {data.map((invoice) => (
                <li key={invoice.id} class="with-file">
                  <Disclosure summary={<Summary invoice={invoice} />}>
                    <Opened invoice={invoice} />
                  </Disclosure>
                  <PdfButton path={`/v1/invoices/${invoice.id}`} name={titleOf(invoice)} />
                </li>
              ))}
            </ul>
            <PageButtons pages={pages} caption="Invoices, newest first" />
          </>
        )
      }
    </Loading>
  );
}

/**
 * The invoice at which the link opens, in sight; nothing for one of somebody else, as after the link of another
 * customer in the same frame.
 */
export function InvoiceOfLink() {
  const id = new URLSearchParams(location.search).get('invoice_id');
  const loaded = useLoad<Invoice>(id ? `/v1/invoices/${encodeURIComponent(id)}` : null);
  const place = useRef<HTMLDivElement>(null);
  const is_there = loaded.value !== null;
  useEffect(() => {
    const { current } = place;
    if (is_there && current !== null && current.getBoundingClientRect().top > innerHeight / 2)
      current.scrollIntoView();
  }, [is_there]);
  if (!id || loaded.fault?.status === 404) return null;
  return (
    <div ref={place}>
      <Loading loaded={loaded}>
        {(invoice) => (
          <Section title={titleOf(invoice)}>
            <Opened invoice={invoice} />
          </Section>
        )}
      </Loading>
    </div>
  );
}

function Summary({ invoice }: { invoice: Invoice }) {
  const { status, overdue, payment_status, period_start, period_end, timezone, currency } = invoice;
  const note = noteOfKind(invoice);
  const shown_status = payment_status === 'partially_paid' ? payment_status : status;
  return (
    <span class="line">
      <span class="line-words">
        <strong>{titleOf(invoice)}</strong> <Badge status={overdue ? 'overdue' : shown_status} />{' '}
        <span class="faint">
          {note !== null && `${note}, `}
          <Period from={period_start} to={period_end} timezone={timezone} />; issued{' '}
          <PrintedDay at={invoice.issued_at} timezone={timezone} />
          {status !== 'void' && (
            <>
              , due <span class="nowrap">{invoice.due_date}</span>
            </>
          )}
        </span>
      </span>
      {status === 'open' ? (
        <span>
          due <Money amount={invoice.amount_due} currency={currency} />
          {invoice.amount_due !== invoice.total && <span class="faint"> of {grouped(invoice.total)}</span>}
        </span>
      ) : (
        <Money amount={invoice.total} currency={currency} />
      )}
    </span>
  );
}

function Opened({ invoice }: { invoice: Invoice }) {
  const { id, status, replaced_by } = invoice;
  return (
    <div class="stack">
      {status === 'void' && (
        <Notice kind="attention">
          <p>
            <strong>This invoice is void and must not be paid.</strong>
            {replaced_by !== null && ' Another invoice replaces it.'}
          </p>
        </Notice>
      )}
      <PayButton invoice={invoice} />
      <Downloads path={`/v1/invoices/${id}`} name={titleOf(invoice)} has_e_invoice={status !== 'void'} />
      <BesideEarlier path={`/v1/invoices/${id}`} bill={invoice} name={titleOf(invoice)} />
      <InvoiceDocument invoice={invoice} />
    </div>
  );
}
