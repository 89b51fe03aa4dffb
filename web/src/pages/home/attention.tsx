import type { Home } from '../../api/objects.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink } from '../links.tsx';

type Props = { attention: Home['attention']; drafts: number };

/** Lists what waits for a person; renders nothing where nothing does. */
export function Attention({ attention, drafts }: Props) {
  if (attention.length === 0 && drafts === 0) return null;
  return (
    <Section title="Needs attention">
      {drafts > 0 && (
        <p class="lead">
          <Link to="/invoices?status=draft">
            {drafts === 1 ? 'One draft is held' : `${drafts} drafts are held`}
          </Link>{' '}
          for late events. A draft is issued automatically when its hold ends, or immediately with the button
          on its page.
        </p>
      )}
      {attention.length > 0 && (
        <Table
          caption="Subscriptions that need attention before they can be billed"
          keyOf={({ subscription_id }) => subscription_id}
          items={attention}
          columns={[
            { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
            {
              title: 'Subscription',
              show: ({ subscription_id }) => (
                <Link to={`/subscriptions/${subscription_id}`}>subscription</Link>
              ),
            },
            { title: 'Reason', show: ({ reason }) => <span class="wide-text">{reason}</span> },
          ]}
        />
      )}
    </Section>
  );
}
