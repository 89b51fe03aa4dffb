import type { PlanMigrationPreview } from '../../api/objects.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money, Quantity } from '../../components/values.tsx';
import { CutCustomerLink, SubscriptionLink } from '../parts/links.tsx';

type Compared = PlanMigrationPreview['data'][number];

/** Amounts of subscriptions by both plans, and their sums. */
export function Comparison({ preview, currency }: { preview: PlanMigrationPreview; currency: string }) {
  const { total, data, has_more } = preview;
  const sums = has_more ? `, sum of the ${data.length} newest` : '';
  return (
    <>
      <p class="lead">
        The usage of each current period up to now, after credit, and a whole period of fees, by both plans.
      </p>
      <Definitions
        entries={[
          ['Subscriptions', <Quantity value={total} />],
          [`By the plan of now${sums}`, <Money amount={preview.current} currency={currency} />],
          [`By the new plan${sums}`, <Money amount={preview.proposed} currency={currency} />],
          [`Difference${sums}`, <Money amount={preview.difference} currency={currency} />],
        ]}
      />
      <Table
        caption="Each subscription by both plans"
        items={data}
        keyOf={({ subscription_id }) => subscription_id}
        columns={columns(currency)}
      />
    </>
  );
}

function columns(currency: string): Column<Compared>[] {
  const amount = (title: string, member: 'current' | 'proposed' | 'difference'): Column<Compared> => ({
    title,
    show: (comparison) => <Money amount={comparison[member]} currency={currency} />,
    is_number: true,
  });
  return [
    { title: 'Customer', show: ({ customer_id }) => <CutCustomerLink id={customer_id} /> },
    amount('Now', 'current'),
    amount('Then', 'proposed'),
    amount('Difference', 'difference'),
    {
      title: 'Subscription',
      show: ({ subscription_id }) => <SubscriptionLink id={subscription_id} />,
    },
  ];
}
