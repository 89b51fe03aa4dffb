import type { CreditNote, Invoice } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** The credit notes of an invoice, void ones too; nothing if there are none. */
export function InvoiceCreditNotes({ invoice: { id, credit_notes } }: { invoice: Invoice }) {
  return credit_notes.length === 0 ? null : <CreditNotes invoice_id={id} />;
}

function CreditNotes({ invoice_id }: { invoice_id: string }) {
  // The invoice has no reasons of them.
  const pages = usePagesWithin<CreditNote>('/v1/credit-notes', { invoice_id, limit: '20' });
  return (
    <Section title="Credit notes">
      <PagedTable
        caption="Credit notes of this invoice, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={<Empty title="No credit notes" />}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<CreditNote>[] = [
  { title: 'Number', show: ({ id, number }) => <Link to={`/credit-notes/${id}`}>{number}</Link> },
  { title: 'Status', show: ({ status }) => <Badge status={status} /> },
  { title: 'Reason', show: ({ reason }) => <Cut text={reason} /> },
  {
    title: 'Total',
    show: ({ total, currency }) => <Money amount={total} currency={currency} />,
    is_number: true,
  },
  {
    title: 'Document',
    show: ({ id, number }) => (
      <DownloadButton label="PDF" path={`/v1/credit-notes/${id}.pdf`} name={`${number}.pdf`} />
    ),
  },
];
