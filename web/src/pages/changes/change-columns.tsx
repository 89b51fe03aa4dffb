import type { FeedChange } from '../../api/objects.ts';
import type { Column } from '../../components/table.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Cut, Quantity, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

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
  { title: 'Customer', show: ({ customer_id }) => customer_id !== null && <Cut text={customer_id} /> },
  {
    title: 'By',
    show: ({ actor }) => (actor === null ? 'Tidemark' : <ShortId id={actor} what="the key’s id" />),
  },
];

function ObjectLink({ change: { object_type, object_id, type } }: { change: FeedChange }) {
  const page = PAGES[object_type];
  if (page === undefined || type.endsWith('.deleted'))
    return <ShortId id={object_id} what="the object’s id" />;
  return (
    <Link to={page + encodeURIComponent(object_id)}>
      <Cut text={object_id} />
    </Link>
  );
}
