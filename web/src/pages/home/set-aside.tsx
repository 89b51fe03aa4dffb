import type { CustomerSetAside, Home } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Time } from '../../components/values.tsx';
import { useDashboard } from '../../shell/session.tsx';
import { CutCustomerLink } from '../parts/links.tsx';

/** Customers that batch jobs go on without; nothing where there is none. */
export function SetAside({ set_aside: { customers, data } }: { set_aside: Home['set_aside'] }) {
  const is_admin = useDashboard().user.role === 'admin';
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
        customers and retries automatically. Invoices remain correct. Call the people who run Tidemark
        {is_admin ? ' and tell them the reason below.' : ': its log has the reason.'}
      </p>
      <Table
        caption="Customers that are set aside, oldest first"
        keyOf={({ customer_id, job }) => `${job} ${customer_id}`}
        items={data}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          { title: 'Failed job', show: ({ job }) => <span class="wide-text">{MEANINGS[job]}</span> },
          { title: 'Since', show: ({ failed_at }) => <Time at={failed_at} /> },
          // What the database says; it tells only those something who run Tidemark.
          ...(is_admin ? [REASON] : []),
        ]}
      />
    </Notice>
  );
}

const REASON: Column<CustomerSetAside> = {
  title: 'Reason',
  show: ({ reason }) => <span class="wide-text">{reason}</span>,
};

const MEANINGS: Readonly<Record<CustomerSetAside['job'], string>> = {
  rollup: 'The daily totals of its usage: its invoices read every event and take longer.',
  usage_report: 'The counts of its events by billing status: the usage report shows older ones.',
  expired_credit: 'The write-off of its expired credit: no invoice uses this credit.',
};
