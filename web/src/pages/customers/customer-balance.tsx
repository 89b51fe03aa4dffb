import { isAbove } from '../../../../src/domain/money/figures.ts';
import { pathWith } from '../../api/client.ts';
import type { BalanceEntry, Customer } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CreditNoteLink, InvoiceLink } from '../parts/links.tsx';
import { AdjustBalance } from './adjust-balance.tsx';
import { May } from '../../shell/session.tsx';

type BalanceProps = { customer: Customer; changed: () => void };

/** The balance of a customer, in money, and what moved it. */
export function CustomerBalance({ customer, changed }: BalanceProps) {
  const pages = usePagesWithin<BalanceEntry>(`/v1/customers/${customer.id}/balance-entries`, { limit: '20' });
  const adjusted = () => {
    pages.loaded.reload();
    changed();
  };
  const actions = (
    <>
      <Link to={pathWith('/credit-notes', { customer_id: customer.external_id })}>Credit notes</Link>
      <May use="createBalanceAdjustment">
        <AdjustBalance customer={customer} changed={adjusted} />
      </May>
    </>
  );
  return (
    <Section title="Balance" actions={actions}>
      <PagedTable
        caption="Entries of the balance, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="Nothing moved the balance yet">
            <p>
              The balance is money of the customer, such as from a payment in advance or a credit note. It
              pays for later invoices.
            </p>
          </Empty>
        }
      />
    </Section>
  );
}

const COLUMNS: readonly Column<BalanceEntry>[] = [
  { title: 'Day', show: ({ created_at }) => <Day at={created_at} /> },
  { title: 'Entry', show: nameOf },
  {
    title: 'Amount',
    show: ({ amount, currency }) => (
      <Money amount={isAbove(amount, '0') ? `+${amount}` : amount} currency={currency} />
    ),
    is_number: true,
  },
  {
    title: 'Reason',
    show: ({ reason }) => (reason === null ? <span class="faint">–</span> : <Cut text={reason} />),
  },
  { title: 'Documents', show: (entry) => <Documents entry={entry} /> },
];

/** The cause of a balance entry in words. */
function nameOf({ type, amount }: BalanceEntry): string {
  const adds = isAbove(amount, '0');
  switch (type) {
    case 'credit_note':
      return adds ? 'Credit note' : 'Void of a credit note';
    case 'adjustment':
      return adds ? 'Added by hand' : 'Taken back by hand';
    case 'applied':
      return 'Applied to an invoice';
    case 'returned':
      return 'Returned by the void of an invoice';
    case 'overpayment':
      return adds ? 'Payment above what was due' : 'Reversal of a payment above what was due';
    case 'deposit':
      return adds ? 'Payment in advance' : 'Reversal of a payment in advance';
    case 'unapplied':
      return 'Due again on an invoice';
  }
}

function Documents({ entry: { invoice_id, credit_note_id } }: { entry: BalanceEntry }) {
  if (invoice_id === null) return <span class="faint">–</span>;
  return (
    <span class="states">
      <InvoiceLink id={invoice_id} />
      {credit_note_id !== null && <CreditNoteLink id={credit_note_id} />}
    </span>
  );
}
