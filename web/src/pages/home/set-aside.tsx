import type { CustomerSetAside, Home } from '../../api/objects.ts';
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
        customers and retries automatically. Invoices remain correct. Call the people who run Tidemark and
        tell them the reason below.
      </p>
      <Table
        caption="Customers that are set aside, oldest first"
        keyOf={({ customer_id, job }) => `${job} ${customer_id}`}
        items={data}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          { title: 'Failed job', show: ({ job }) => <span class="wide-text">{MEANINGS[job]}</span> },
          { title: 'Since', show: ({ failed_at }) => <Time at={failed_at} /> },
          { title: 'Reason', show: ({ reason }) => <span class="wide-text">{reason}</span> },
        ]}
      />
    </Notice>
  );
}

const MEANINGS: Readonly<Record<CustomerSetAside['job'], string>> = {
  rollup: 'The daily totals of its usage: its invoices read every event and take longer.',
  usage_report: 'The counts of its events by billing status: the usage report shows older ones.',
  expired_credit: 'The write-off of its expired credit: no invoice uses this credit.',
};
