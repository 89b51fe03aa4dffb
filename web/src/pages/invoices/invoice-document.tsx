import { isZero } from '../../../../src/domain/money/figures.ts';
import type { Invoice, LineItem, UsageEvent } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Empty } from '../../components/notice.tsx';
import { AddressText, TaxIdText } from '../../components/party-fields.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Code, Cut, DayOrTime, Period, PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { BillLines, Total } from './invoice-lines.tsx';
import { InvoiceState, noteOfKind } from './invoice-state.tsx';
import { titleOf } from './invoice-title.ts';

/** The invoice as its customer sees it; a line opens to how its amount came about. */
export function InvoiceDocument({ invoice }: { invoice: Invoice }) {
  const { currency, status, balance_applied, credited, amount_paid, amount_due } = invoice;
  return (
    <article class={`document document-${status}`} aria-label={titleOf(invoice)}>
      <Parties {...invoice} />
      <dl class="document-facts">
        <div>
          <dt>Number</dt>
          <dd>{invoice.number ?? 'none yet'}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <InvoiceState invoice={invoice} />
          </dd>
        </div>
        <div>
          <dt>Issued</dt>
          <dd>
            {invoice.issued_at === null ? (
              'not yet'
            ) : (
              <PrintedDay at={invoice.issued_at} timezone={invoice.timezone} />
            )}
          </dd>
        </div>
        <div>
          <dt>Due</dt>
          <dd>{invoice.due_date ?? 'not yet'}</dd>
        </div>
        <div>
          <dt>Period</dt>
          <dd>
            <Period from={invoice.period_start} to={invoice.period_end} timezone={invoice.timezone} />{' '}
            <span class="faint">{noteOfKind(invoice)}</span>
          </dd>
        </div>
      </dl>
      <BillLines
        bill={invoice}
        lines={invoice.line_items}
        idOf={({ id }) => id}
        below={(line) => line.aggregation !== null && <EventsOf invoice={invoice} line={line} />}
      >
        {!isZero(balance_applied) && (
          <Total name="From the balance" amount={balance_applied} currency={currency} />
        )}
        {!isZero(credited) && <Total name="Credited" amount={credited} currency={currency} />}
        <Total name="Paid" amount={amount_paid} currency={currency} />
        <Total name="Amount due" amount={amount_due} currency={currency} is_strong />
      </BillLines>
      <Footer seller={invoice.seller} />
    </article>
  );
}

type PartiesProps = Pick<Invoice, 'customer_id' | 'seller' | 'customer'>;

/** Seller and customer of an invoice or a credit note, as the document names them. */
export function Parties({ customer_id, seller, customer }: PartiesProps) {
  return (
    <div class="parties">
      <div>
        <p class="faint">From</p>
        <p>
          <strong>{seller.name}</strong>
        </p>
        <AddressText address={seller.address} />
        <TaxIdText tax_ids={seller.tax_ids} />
      </div>
      <div>
        <p class="faint">To</p>
        <p>
          <Link to={`/customers/${encodeURIComponent(customer_id)}`}>{customer.name ?? customer_id}</Link>
        </p>
        <p>{customer.email}</p>
        {customer.name !== null && <p class="faint">{customer_id}</p>}
        <AddressText address={customer.address} />
        <TaxIdText tax_ids={customer.tax_ids} />
        {customer.buyer_reference !== null && <p class="faint">Reference {customer.buyer_reference}</p>}
      </div>
    </div>
  );
}

/** The text that the seller puts at the end of each document. */
export function Footer({ seller: { footer } }: Pick<Invoice, 'seller'>) {
  return footer === null ? null : <p class="lines-kept faint">{footer}</p>;
}

/** Lists exactly the events that a line billed. */
function EventsOf({ invoice, line }: { invoice: Invoice; line: LineItem }) {
  const pages = usePagesWithin<UsageEvent>(`/v1/invoices/${invoice.id}/line-items/${line.id}/events`, {
    limit: '20',
  });
  return (
    <div class="stack">
      <p>
        <strong>Events of this line item</strong>
      </p>
      <PagedTable
        is_list
        caption={`Events of the line item: ${line.description}`}
        pages={pages}
        keyOf={({ id }) => id}
        columns={eventColumns(invoice.timezone)}
        empty={<Empty title="No events on this line item" />}
      />
    </div>
  );
}

const eventColumns = (timezone: string): readonly Column<UsageEvent>[] => [
  { title: 'Time', show: ({ timestamp }) => <DayOrTime at={timestamp} timezone={timezone} /> },
  {
    title: 'Event',
    show: ({ id }) => (
      <ShortId id={id} what="the event’s id" show={(short) => <Link to={`/events/${id}`}>{short}</Link>} />
    ),
  },
  {
    title: 'Idempotency key',
    show: ({ idempotency_key }) => (
      <Cut text={idempotency_key}>
        <Code>{idempotency_key}</Code>
      </Cut>
    ),
  },
  {
    title: 'Properties',
    show: ({ properties }) => <code class="cut">{JSON.stringify(properties)}</code>,
    on_phone: 'hidden',
  },
];
