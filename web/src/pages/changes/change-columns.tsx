import type { FeedChange } from '../../api/objects.ts';
import type { Column } from '../../components/table.tsx';
import { ActorName } from '../../components/name.tsx';
import { Cut, Quantity, Time } from '../../components/values.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { ObjectLink } from '../parts/object-link.tsx';

/** A change in a list. */
export const CHANGE_COLUMNS: readonly Column<FeedChange>[] = [
  { title: 'Number', show: ({ sequence }) => <Quantity value={sequence} />, is_number: true },
  { title: 'Time', show: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Type', show: ({ type }) => type },
  {
    title: 'Object',
    show: (change) => <ObjectLink of={change} is_gone={change.type.endsWith('.deleted')} />,
  },
  {
    title: 'Customer',
    show: ({ customer_id, type }) =>
      customer_id !== null &&
      (type === 'customer.deleted' ? <Cut text={customer_id} /> : <CutCustomerLink id={customer_id} />),
  },
  { title: 'By', show: ({ actor }) => (actor === null ? 'Tidemark' : <ActorName id={actor} />) },
];
