import type { Home } from '../api/objects.ts';
import { Section } from '../components/page.tsx';
import { Table } from '../components/table.tsx';
import { Link } from '../shell/environment.tsx';

/** What waits for a person; nothing at all where nothing does. */
export function Attention({ attention, drafts_held }: Pick<Home, 'attention' | 'drafts_held'>) {
  if (attention.length === 0 && drafts_held === 0) return null;
  return (
    <Section title="Needs attention">
      {drafts_held > 0 && (
        <p class="lead">
          <Link to="/invoices?status=draft">
            {drafts_held === 1 ? 'One draft is held' : `${drafts_held} drafts are held`}
          </Link>{' '}
          for late events. A draft is issued by itself when its time is over, or at once by the button on its
          page.
        </p>
      )}
      {attention.length > 0 && (
        <Table
          caption="Subscriptions that are not billed until somebody acts"
          keyOf={({ subscription_id }) => subscription_id}
          items={attention}
          columns={[
            {
              title: 'Subscription',
              show: ({ subscription_id }) => (
                <Link to={`/subscriptions/${subscription_id}`}>{subscription_id}</Link>
              ),
            },
            {
              title: 'Customer',
              show: ({ customer_id }) => (
                <Link to={`/customers/${encodeURIComponent(customer_id)}`}>{customer_id}</Link>
              ),
            },
            { title: 'Why it is not billed', show: ({ reason }) => reason },
          ]}
        />
      )}
    </Section>
  );
}
