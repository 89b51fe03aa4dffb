import type { Home } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Day, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink, InvoiceLink } from '../parts/links.tsx';

type Troubles = Home['payments'];

/** Says that charges wait for the payment provider, and lists money that came twice; nothing where all is well. */
export function PaymentTroubles({ payments }: Pick<Home, 'payments'>) {
  const { provider_fault, received_twice } = payments;
  return (
    <>
      {provider_fault !== null && <FailingProvider fault={provider_fault} />}
      {received_twice.length > 0 && <ReceivedTwice received={received_twice} />}
    </>
  );
}

function FailingProvider({ fault }: { fault: string }) {
  return (
    <Notice kind="attention">
      <p>
        <strong>The payment provider refuses requests or does not answer.</strong> <q>{fault}</q>
      </p>
      <p>
        Charges wait, and none is lost. <Link to="/settings/payments">Settings, Payments</Link>
      </p>
    </Notice>
  );
}

function ReceivedTwice({ received }: { received: Troubles['received_twice'] }) {
  return (
    <Section title="Received twice">
      <p class="lead">
        Each charge brought money for an invoice that was paid, credited or void meanwhile. The amount is on
        the balance of the customer, where the next invoice takes it. To give it back, pay it out and adjust
        the balance on the page of the customer.
      </p>
      <Table
        caption="Money of charges that went to the balance, newest first"
        keyOf={({ payment_id }) => payment_id}
        items={received}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          {
            title: 'Invoice',
            show: ({ invoice_id: id }) => id !== null && <InvoiceLink id={id} />,
          },
          { title: 'Received', show: ({ created_at }) => <Day at={created_at} /> },
          {
            title: 'To the balance',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
            is_number: true,
          },
        ]}
      />
    </Section>
  );
}
