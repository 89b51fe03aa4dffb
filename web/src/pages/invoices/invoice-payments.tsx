import type { Invoice } from '../../api/objects.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { paymentColumns } from '../payments/payment-columns.tsx';

type PaymentsProps = { invoice: Invoice; changed: () => void };

/** The payments of an invoice, reversed ones too; nothing if there are none. */
export function InvoicePayments({ invoice: { payments }, changed }: PaymentsProps) {
  if (payments.length === 0) return null;
  return (
    <Section title="Payments">
      <Table
        caption="Payments of this invoice"
        items={payments}
        keyOf={({ id }) => id}
        columns={paymentColumns(changed)}
      />
    </Section>
  );
}
