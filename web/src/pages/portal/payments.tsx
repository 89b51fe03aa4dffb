import type { Invoice, Payment } from '../../api/objects.ts';
import { useEach } from '../../api/use-each.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { PrintedDay } from '../../components/values.tsx';
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { PdfButton } from './downloads.tsx';
import { AMOUNT_PAID } from '../payments/payment-columns.tsx';

/** The payments of the payer, of invoices and in advance, newest first; nothing for a payer without any. */
export function Payments({ timezone }: { timezone: string }) {
  const pages = usePagesWithin<Payment>('/v1/payments', { limit: '12' });
  const shown = pages.loaded.value?.data ?? [];
  const invoices = useEach<Invoice>(
    '/v1/invoices',
    shown.flatMap(({ invoice_id }) => invoice_id ?? []),
  );
  if (pages.loaded.value?.data.length === 0 && pages.newer === null) return null;
  return (
    <Section title="Payments">
      <PagedTable
        caption="Payments, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columnsOf(timezone, invoices)}
        empty={null}
      />
    </Section>
  );
}

function columnsOf(timezone: string, invoices: ReadonlyMap<string, Invoice>): readonly Column<Payment>[] {
  return [
    { title: 'Paid on', show: ({ paid_at }) => <PrintedDay at={paid_at} timezone={timezone} /> },
    {
      title: 'For',
      show: ({ invoice_id }) => {
        if (invoice_id === null) return 'the balance, in advance';
        const invoice = invoices.get(invoice_id);
        if (invoice === undefined) return 'an invoice';
        const note = noteOfKind(invoice);
        return (
          <>
            {invoice.number} {note !== null && <span class="faint">{note}</span>}
          </>
        );
      },
    },
    {
      title: 'State',
      show: ({ reversed_at }) =>
        reversed_at === null ? (
          'received'
        ) : (
          <>
            <Badge status="reversed" /> <PrintedDay at={reversed_at} timezone={timezone} />
          </>
        ),
    },
    AMOUNT_PAID,
    {
      title: 'Receipt',
      show: ({ id, reversed_at }) =>
        reversed_at === null && <PdfButton path={`/v1/payments/${id}`} name={`receipt-${id}`} />,
    },
  ];
}
