import type { CreditGrant, Customer } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Day, Quantity, Time } from '../../components/values.tsx';

/** The prepaid credit of the payer, newest first; nothing for a payer without any. */
export function Credit({ customer: { id } }: { customer: Customer }) {
  const pages = usePagesWithin<CreditGrant>('/v1/credit-grants', { customer_id: id, limit: '12' });
  if (pages.loaded.value?.data.length === 0 && pages.newer === null) return null;
  return (
    <Section title="Credit">
      <PagedTable
        caption="Prepaid units of usage, newest first"
        pages={pages}
        keyOf={(grant) => grant.id}
        columns={COLUMNS}
        empty={null}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<CreditGrant>[] = [
  { title: 'Since', show: ({ created_at }) => <Day at={created_at} /> },
  { title: 'Status', show: ({ status }) => <Badge status={status} /> },
  { title: 'Units', show: ({ amount }) => <Quantity value={amount} />, is_number: true },
  { title: 'Left', show: ({ remaining }) => <Quantity value={remaining} />, is_number: true },
  {
    title: 'Ends',
    show: ({ expires_at, carry_over_until }) => <Time at={carry_over_until ?? expires_at} />,
  },
  { title: 'For', show: ({ event_names }) => event_names?.join(', ') ?? 'all usage' },
];
