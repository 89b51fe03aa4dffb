import type { Customer, Payment } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/table.tsx';
import { PAID_FOR, paymentColumns } from '../payments/payment-columns.tsx';
import { RecordDeposit } from './record-deposit.tsx';
import { May } from '../../shell/session.tsx';

type PaymentsProps = { customer: Customer; changed: () => void };

/** The payments of a customer, of invoices and in advance, reversed ones too. */
export function CustomerPayments({ customer, changed }: PaymentsProps) {
  const pages = usePagesWithin<Payment>('/v1/payments', { customer_id: customer.id, limit: '20' });
  const altered = () => {
    pages.loaded.reload();
    changed();
  };
  return (
    <Section
      title="Payments"
      actions={
        <May use="createDeposit">
          <RecordDeposit customer={customer} changed={altered} />
        </May>
      }
    >
      <PagedTable
        caption="Payments, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={[...paymentColumns(altered), PAID_FOR]}
        empty={
          <Empty title="No payments yet">
            <p>Record a payment of an invoice on the page of the invoice, and one in advance here.</p>
          </Empty>
        }
      />
    </Section>
  );
}
