import { useEffect, useRef, useState } from 'preact/hooks';
import { pathWith } from '../../api/client.ts';
import type { Invoice, InvoiceComparison, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Select } from '../../components/form.tsx';
import { Link } from '../../shell/environment.tsx';
import { May } from '../../shell/session.tsx';
import { differenceInWords, periodBeside } from './comparison-words.ts';
import { Differences, type ComparedBill } from './comparison.tsx';
import { noteOfKind } from './invoice-state.tsx';

/** The invoices that are offered to compare with, the newest ones. */
const OFFERED_MAX = 24;

type BesideProps = {
  /** Path of the bill in the API. */
  path: string;
  /** Another response is compared again. */
  bill: ComparedBill;
  /** The name of the bill in a letter. */
  name: string;
};

/**
 * How much more a bill is than the invoice before, which opens to why, and to a choice of another one; nothing where
 * none came before.
 */
export function BesideEarlier({ path, bill, name }: BesideProps) {
  const [with_id, choose] = useState<string | undefined>(undefined);
  const { value, reload } = useLoad<InvoiceComparison>(pathWith(`${path}/comparison`, { with: with_id }));
  const other = useLoad<Invoice>(value && `/v1/invoices/${value.with_invoice_id}`).value;
  const compared = useRef(bill);
  useEffect(() => {
    if (compared.current !== bill) reload();
    compared.current = bill;
  }, [bill, reload]);
  // Both stay while those of another choice load.
  const shown = useRef<{ comparison: InvoiceComparison; other: Invoice } | null>(null);
  if (value !== null && other?.id === value.with_invoice_id) shown.current = { comparison: value, other };
  if (shown.current === null) return null;
  return <Beside {...shown.current} bill={bill} name={name} choose={choose} />;
}

type PairProps = Omit<BesideProps, 'path'> & {
  comparison: InvoiceComparison;
  other: Invoice;
  choose: (id: string) => void;
};

function Beside({ comparison, other, bill, name, choose }: PairProps) {
  const number = numberOf(other);
  const period = `(${periodBeside(other, bill)})`;
  return (
    <div class="beside-earlier">
      <Disclosure
        summary={
          <strong>
            {differenceInWords(comparison)} {number} {period}
          </strong>
        }
      >
        <OtherInvoice bill={bill} other={other} choose={choose} />
        <May use="getInvoice">
          <p>
            <Link to={`/invoices/${other.id}`}>Open {number}</Link>
          </p>
        </May>
        <Differences comparison={comparison} bill={bill} name={name} with_name={`${number} ${period}`} />
      </Disclosure>
    </div>
  );
}

/** A choice of the invoice to compare with. */
function OtherInvoice({ bill, other, choose }: Pick<PairProps, 'bill' | 'other' | 'choose'>) {
  const { customer_id } = bill;
  const filter = { customer_id, currency: other.currency, limit: `${OFFERED_MAX}` };
  const newest = useLoad<List<Invoice>>(pathWith('/v1/invoices', filter)).value?.data ?? [];
  const offered = newest.filter(({ id, issued_at }) => issued_at !== null && id !== bill.id);
  const all = offered.some(({ id }) => id === other.id) ? offered : [...offered, other];
  return (
    <div class="narrow">
      <Select
        name="with"
        label="Compared with"
        options={all.map((invoice) => ({ value: invoice.id, label: labelOf(invoice, bill) }))}
        value={other.id}
        change={choose}
      />
    </div>
  );
}

/** "INV-000015 (January), fees in advance". */
function labelOf(invoice: Invoice, bill: ComparedBill): string {
  const notes = [noteOfKind(invoice), invoice.status === 'void' ? 'void' : null];
  const words = [`${numberOf(invoice)} (${periodBeside(invoice, bill)})`, ...notes];
  return words.filter((text) => text !== null).join(', ');
}

function numberOf({ number }: Invoice): string {
  return number ?? 'an invoice without a number';
}
