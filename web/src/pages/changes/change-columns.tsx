import type { FeedChange } from '../../api/objects.ts';
import type { Column } from '../../components/table.tsx';
import { ActorName, CustomerName, DocumentNumber, PlanName } from '../../components/name.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Cut, Quantity, Time, words } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink } from '../links.tsx';

/** Pages of objects, where there is one. */
const PAGES: Readonly<Partial<Record<FeedChange['object_type'], string>>> = {
  customer: '/customers/',
  pricing_plan: '/plans/',
  subscription: '/subscriptions/',
  invoice: '/invoices/',
  credit_note: '/credit-notes/',
  webhook_endpoint: '/settings/webhooks/',
};

/** A change in a list. */
export const CHANGE_COLUMNS: readonly Column<FeedChange>[] = [
  { title: 'Number', show: ({ sequence }) => <Quantity value={sequence} />, is_number: true },
  { title: 'Time', show: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Type', show: ({ type }) => type },
  { title: 'Object', show: (change) => <ObjectLink change={change} /> },
  {
    title: 'Customer',
    show: ({ customer_id, type }) =>
      customer_id !== null &&
      (type === 'customer.deleted' ? <Cut text={customer_id} /> : <CutCustomerLink id={customer_id} />),
  },
  { title: 'By', show: ({ actor }) => (actor === null ? 'Tidemark' : <ActorName id={actor} />) },
];

function ObjectLink({ change }: { change: FeedChange }) {
  const { object_type, object_id, type } = change;
  const page = PAGES[object_type];
  if (page === undefined || type.endsWith('.deleted'))
    return <ShortId id={object_id} what="the object’s id" />;
  return (
    <Link to={page + encodeURIComponent(object_id)}>
      <span class="cut">
        <ObjectName change={change} />
      </span>
    </Link>
  );
}

function ObjectName({ change: { object_type, object_id, customer_id } }: { change: FeedChange }) {
  if (object_type === 'customer') return <CustomerName id={customer_id ?? object_id} />;
  if (object_type === 'pricing_plan') return <PlanName id={object_id} />;
  const is_document = object_type === 'invoice' || object_type === 'credit_note';
  return is_document ? <DocumentNumber id={object_id} /> : <>{words(object_type)}</>;
}
