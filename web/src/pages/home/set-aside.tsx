import type { CustomerSetAside, Home } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Table } from '../../components/table.tsx';
import { Cut, grouped, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** Customers that batch jobs go on without; nothing where there is none. */
export function SetAside({ of: { customers, data } }: { of: Home['set_aside'] }) {
  if (customers === 0) return null;
  return (
    <Notice kind="attention">
      <p>
        <strong class="badge-attention">
          {customers === 1
            ? 'One customer is set aside.'
            : `${grouped(`${customers}`)} customers are set aside.`}
        </strong>{' '}
        A job of the worker fails for such a customer, goes on with the others, and tries again by itself.
        Bills stay right.
      </p>
      <Table
        caption="Customers that are set aside, the oldest first"
        keyOf={({ customer_id, job }) => `${job} ${customer_id}`}
        items={data}
        columns={[
          {
            title: 'Customer',
            show: ({ customer_id }) => (
              <Cut text={customer_id}>
                <Link to={`/customers/${encodeURIComponent(customer_id)}`}>{customer_id}</Link>
              </Cut>
            ),
          },
          { title: 'What fails', show: ({ job }) => <span class="wide-text">{MEANINGS[job]}</span> },
          { title: 'Since', show: ({ failed_at }) => <Time at={failed_at} /> },
          { title: 'Reason', show: ({ reason }) => <span class="wide-text">{reason}</span> },
        ]}
      />
    </Notice>
  );
}

const MEANINGS: Readonly<Record<CustomerSetAside['job'], string>> = {
  rollup: 'Summing its usage by day: its bills read every event, and take longer.',
  expired_credit: 'Writing off its expired credit, which no bill uses any more.',
};
