import type { CreditGrant, Customer } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { LastDay, PrintedDay, Quantity } from '../../components/values.tsx';
import { eventsOnPaper, type Plans } from './paper-words.ts';

type CreditProps = { customer: Customer; timezone: string; plans: Plans };

/** The prepaid credit of the payer, newest first; nothing for a payer without any. */
export function Credit({ customer: { id }, timezone, plans }: CreditProps) {
  const pages = usePagesWithin<CreditGrant>('/v1/credit-grants', { customer_id: id, limit: '12' });
  if (pages.loaded.value?.data.length === 0 && pages.newer === null) return null;
  return (
    <Section title="Credit">
      <PagedTable
        caption="Prepaid units of usage, newest first"
        pages={pages}
        keyOf={(grant) => grant.id}
        columns={columnsOf(timezone, plans)}
        empty={null}
      />
    </Section>
  );
}

function columnsOf(timezone: string, plans: Plans): readonly Column<CreditGrant>[] {
  return [
    { title: 'Since', show: ({ created_at }) => <PrintedDay at={created_at} timezone={timezone} /> },
    { title: 'Status', show: ({ status }) => <Badge status={status} /> },
    { title: 'Units', show: ({ amount }) => <Quantity value={amount} />, is_number: true },
    { title: 'Left', show: ({ remaining }) => <Quantity value={remaining} />, is_number: true },
    {
      title: 'Last day',
      show: ({ expires_at, carry_over_until }) => (
        <LastDay at={carry_over_until ?? expires_at} timezone={timezone} />
      ),
    },
    {
      title: 'For',
      show: ({ event_names }) => (event_names === null ? 'all usage' : eventsOnPaper(event_names, plans)),
    },
  ];
}
