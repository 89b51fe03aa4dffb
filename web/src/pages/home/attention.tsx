import type { Home } from '../../api/objects.ts';
import { Section } from '../../components/page.tsx';
import { Table } from '../../components/table.tsx';
import { Link } from '../../shell/environment.tsx';
import { CutCustomerLink, SubscriptionLink } from '../parts/links.tsx';
import { useReason } from '../parts/reason.ts';

/** Subscriptions that Home lists at most; others are on the page of subscriptions. */
const LISTED_MAX = 20;

/** Lists subscriptions that are not billed until a person acts; renders nothing where there is none. */
export function Attention({ attention }: { attention: Home['attention'] }) {
  const reasonOf = useReason();
  if (attention.length === 0) return null;
  return (
    <Section
      title="Subscriptions that are not billed"
      actions={attention.length === LISTED_MAX && <Link to="/subscriptions?attention=true">All of them</Link>}
    >
      <Table
        caption="Subscriptions that need attention before they can be billed"
        keyOf={({ subscription_id }) => subscription_id}
        items={attention}
        columns={[
          { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
          {
            title: 'Subscription',
            show: ({ subscription_id }) => <SubscriptionLink id={subscription_id} />,
          },
          { title: 'Reason', show: ({ reason }) => <span class="wide-text">{reasonOf(reason)}</span> },
        ]}
      />
    </Section>
  );
}
