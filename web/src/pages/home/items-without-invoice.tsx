import type { Home } from '../../api/objects.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Cut, Money } from '../../components/values.tsx';
import { CutCustomerLink } from '../parts/links.tsx';

/** Invoice items that no invoice follows for; nothing where there is none. */
export function ItemsWithoutInvoice({ items }: { items: Home['items_without_invoice'] }) {
  if (items.length === 0) return null;
  return (
    <Section title="Invoice items without an invoice">
      <p class="lead">
        The subscription of each item has ended, and no other subscription of the customer took the item. If
        an invoice of the subscription is void, generate it again: it takes the item. Else delete the item on
        the page of the customer.
      </p>
      <Table
        caption="Invoice items that no invoice follows for, newest first"
        keyOf={({ id }) => id}
        items={items}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          { title: 'Description', show: ({ description }) => <Cut text={description} /> },
          {
            title: 'Amount',
            show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
            is_number: true,
          },
        ]}
      />
    </Section>
  );
}
