import type { Customer, InvoiceItem, ItemsWithoutInvoice, Subscription } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Cut, Day, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { InvoiceLink } from '../parts/links.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { AddItem } from './add-item.tsx';

type ItemsProps = { customer: Customer; subscriptions: readonly Subscription[]; changed: () => void };

/** The amounts that people put on the invoices of a customer. */
export function CustomerItems({ customer, subscriptions, changed }: ItemsProps) {
  const pages = usePagesWithin<InvoiceItem>('/v1/invoice-items', { customer_id: customer.id, limit: '20' });
  const path = pathWith('/dashboard/api/items-without-invoice', { customer_id: customer.id });
  const items_left = useLoad<ItemsWithoutInvoice>(path);
  const altered = () => {
    pages.loaded.reload();
    items_left.reload();
    changed();
  };
  const actions = (
    <May use="createInvoiceItem">
      <AddItem customer={customer} subscriptions={subscriptions} changed={altered} />
    </May>
  );
  return (
    <Section title="Invoice items" actions={actions}>
      <PagedTable
        caption="Invoice items, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(altered, items_left.value?.data ?? [])}
        empty={
          <Empty title="No invoice items">
            <p>An item is an amount that the next invoice takes, such as a setup fee or a rebate.</p>
          </Empty>
        }
      />
    </Section>
  );
}

function columns(changed: () => void, items_left: ItemsWithoutInvoice['data']): Column<InvoiceItem>[] {
  const isLeft = (item: InvoiceItem) => items_left.some(({ id }) => id === item.id);
  return [
    { title: 'Added', show: ({ created_at }) => <Day at={created_at} /> },
    {
      title: 'Status',
      show: (item) => (
        <span class="states">
          <Badge status={item.status} />
          {isLeft(item) && <span class="faint">its subscription has ended: no invoice follows</span>}
        </span>
      ),
    },
    { title: 'Description', show: ({ description }) => <Cut text={description} /> },
    {
      title: 'Quantity × unit amount',
      show: ({ quantity, unit_amount }) => `${grouped(quantity)} × ${grouped(unit_amount)}`,
      is_number: true,
    },
    {
      title: 'Amount',
      show: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      is_number: true,
    },
    {
      title: 'Invoice',
      show: (item) => (isLeft(item) ? 'none' : <InvoiceOf item={item} />),
    },
    {
      title: 'Actions',
      show: (item) =>
        item.status === 'pending' && (
          <May use="deleteInvoiceItem">
            <DeleteItem item={item} changed={changed} />
          </May>
        ),
    },
  ];
}

function InvoiceOf({ item: { invoice_id, status, subscription_id } }: { item: InvoiceItem }) {
  if (invoice_id === null)
    return <Link to={`/subscriptions/${subscription_id}`}>the next of the subscription</Link>;
  if (status === 'pending') return <Link to={`/invoices/${invoice_id}`}>draft</Link>;
  return <InvoiceLink id={invoice_id} />;
}

function DeleteItem({ item: { id, description }, changed }: { item: InvoiceItem; changed: () => void }) {
  const client = useClient();
  const remove = async () => {
    await client.delete(`/v1/invoice-items/${id}`);
    changed();
  };
  return (
    <QuestionButton label="Delete" question={`Delete the item “${description}”?`} perform={remove}>
      <p>No invoice will have it; a draft that has it is priced again without it.</p>
    </QuestionButton>
  );
}
