import type { Customer, InvoiceItem, Subscription } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, grouped, Money, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { AddItem } from './add-item.tsx';

type ItemsProps = { customer: Customer; subscriptions: readonly Subscription[]; changed: () => void };

/** The amounts that people put on the invoices of a customer. */
export function CustomerItems({ customer, subscriptions, changed }: ItemsProps) {
  const pages = usePagesWithin<InvoiceItem>('/v1/invoice-items', { customer_id: customer.id, limit: '20' });
  const altered = () => {
    pages.loaded.reload();
    changed();
  };
  const actions = <AddItem customer={customer} subscriptions={subscriptions} changed={altered} />;
  return (
    <Section title="Invoice items" actions={actions}>
      <PagedTable
        caption="Invoice items, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(altered, subscriptions)}
        empty={
          <Empty title="No invoice items">
            <p>An item is an amount that the next invoice takes, such as a setup fee or a discount.</p>
          </Empty>
        }
      />
    </Section>
  );
}

function columns(changed: () => void, subscriptions: readonly Subscription[]): Column<InvoiceItem>[] {
  const isCanceled = ({ subscription_id }: InvoiceItem) =>
    subscriptions.some(({ id, status }) => id === subscription_id && status === 'canceled');
  return [
    { title: 'Added', show: ({ created_at }) => <Time at={created_at} /> },
    {
      title: 'Status',
      show: (item) => (
        <span class="states">
          <Badge status={item.status} />
          {item.status === 'pending' && isCanceled(item) && (
            <span class="faint">its subscription was canceled: if no invoice follows, delete it</span>
          )}
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
    { title: 'Invoice', show: (item) => <InvoiceOf item={item} /> },
    {
      title: 'Actions',
      show: (item) => item.status === 'pending' && <DeleteItem item={item} changed={changed} />,
    },
  ];
}

function InvoiceOf({ item: { invoice_id, status, subscription_id } }: { item: InvoiceItem }) {
  if (invoice_id === null)
    return <Link to={`/subscriptions/${subscription_id}`}>the next of the subscription</Link>;
  return <Link to={`/invoices/${invoice_id}`}>{status === 'pending' ? 'draft' : 'invoice'}</Link>;
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
