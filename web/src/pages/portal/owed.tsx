import { everyPage } from '../../api/every-page.ts';
import type { Customer, Invoice, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Money, PrintedDay, Quantity } from '../../components/values.tsx';
import { Footer } from '../invoices/invoice-document.tsx';
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { readOwed, SUMS_OF_INVOICES, type Owed as OwedSums } from '../invoices/owed.ts';

/** The most open invoices that stand with the sums; the list below has all. */
const LISTED_MAX = 5;

/** Figures that a payer looks for first: what is due, what is there in advance, and how to pay. */
export function Owed({ customer }: { customer: Customer }) {
  const { balance, currency, credit_remaining } = customer;
  const sums = useLoad(SUMS_OF_INVOICES, readOwed);
  const open = useLoad<List<Invoice>>('/v1/invoices?status=open', everyPage);
  return (
    <div class="stack">
      <Loading loaded={sums}>
        {(owed) => (
          <p class="lead owed">
            {owed.length === 0 ? 'Nothing is due.' : owed.map((sum) => <Due key={sum.currency} {...sum} />)}
          </p>
        )}
      </Loading>
      <Definitions
        entries={[
          ['Balance, which pays for the next invoices', <Money amount={balance} currency={currency} />],
          ['Credit left, in units of usage', <Quantity value={credit_remaining} />],
        ]}
      />
      <Loading loaded={open}>
        {({ data }) => {
          const [newest] = data;
          return newest === undefined ? <HowToPayLater /> : <HowToPay invoice={newest} open={data} />;
        }}
      </Loading>
    </div>
  );
}

/** The sums of a currency, which may have changed between two invoices. */
function Due({ currency, open, overdue }: OwedSums) {
  return (
    <span class="owed-sum">
      Due:{' '}
      <strong>
        <Money amount={open.amount_due} currency={currency} />
      </strong>
      {overdue !== null && (
        <>
          , of which{' '}
          <strong class="overdue">
            <Money amount={overdue.amount_due} currency={currency} /> is overdue
          </strong>
        </>
      )}
      .{' '}
    </span>
  );
}

/** The invoices that are due first, each with its number, for the payment. */
function OpenInvoices({ invoices }: { invoices: readonly Invoice[] }) {
  if (invoices.length === 0) return null;
  const first = invoices.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  return (
    <>
      <ul class="lines narrow">
        {first.slice(0, LISTED_MAX).map((invoice) => (
          <li key={invoice.id}>
            <OpenInvoice invoice={invoice} />
          </li>
        ))}
      </ul>
      {invoices.length > LISTED_MAX && (
        <p class="faint">
          The {LISTED_MAX} that are due first, of {invoices.length}.
        </p>
      )}
    </>
  );
}

/** The order of due days, then of numbers. */
function placeOf({ due_date, number }: Invoice): string {
  return `${due_date} ${number}`;
}

function OpenInvoice({ invoice }: { invoice: Invoice }) {
  const { number, issued_at, due_date, timezone, amount_due, currency, overdue } = invoice;
  const note = noteOfKind(invoice);
  return (
    <span class="line">
      <span class="line-words">
        {number} {overdue && <Badge status="overdue" />}{' '}
        <span class="faint">
          {note !== null && `${note}, `}issued <PrintedDay at={issued_at} timezone={timezone} />, due{' '}
          <span class="nowrap">{due_date}</span>
        </span>
      </span>
      <Money amount={amount_due} currency={currency} />
    </span>
  );
}

/** The text that the seller puts on its invoices, as a rule where the money goes, and the invoices that are open. */
function HowToPay({ invoice: { seller }, open }: { invoice: Invoice; open: readonly Invoice[] }) {
  if (seller.footer === null && open.length === 0) return null;
  return (
    <Section title={seller.footer === null ? 'Open invoices' : 'How to pay'}>
      <div class="stack">
        <Footer seller={seller} />
        <OpenInvoices invoices={open} />
      </div>
    </Section>
  );
}

/** How to pay where nothing is due, by the newest invoice. */
function HowToPayLater() {
  const newest = useLoad<List<Invoice>>('/v1/invoices?limit=1').value?.data[0];
  return newest === undefined ? null : <HowToPay invoice={newest} open={[]} />;
}
