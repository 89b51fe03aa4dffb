import type { Home } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Time } from '../../components/values.tsx';
import { CutCustomerLink } from '../parts/links.tsx';

/** Customers that batch jobs go on without; nothing where there is none. */
export function SetAside({ set_aside: { customers, data } }: { set_aside: Home['set_aside'] }) {
  if (customers === 0) return null;
  return (
    <Notice kind="attention">
      <p>
        <strong class="badge-attention">
          {customers === 1
            ? 'One customer is set aside.'
            : `${grouped(`${customers}`)} customers are set aside.`}
        </strong>{' '}
        A background job of the worker fails for the customers below. The job continues with the other
        customers and retries automatically. Invoices remain correct. Call the people who run Tidemark:{' '}
        <code>tidemark doctor</code> names the error.
      </p>
      <Table
        caption="Customers that are set aside, oldest first"
        keyOf={({ customer_id, job }) => `${job} ${customer_id}`}
        items={data}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          { title: 'What fails', show: ({ reason }) => <span class="wide-text">{reason}</span> },
          { title: 'Since', show: ({ failed_at }) => <Time at={failed_at} /> },
        ]}
      />
    </Notice>
  );
}
