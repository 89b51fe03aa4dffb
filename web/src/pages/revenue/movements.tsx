import type { RecurringRevenueMovement } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Empty } from '../../components/notice.tsx';
import { PagedTable } from '../../components/table.tsx';
import { Quantity } from '../../components/values.tsx';
import { monthInWords } from '../month-end/month.ts';
import { CutCustomerLink } from '../parts/links.tsx';

/** The customers whose recurring revenue moved in a month. */
export function Movements({ month, currency }: { month: string; currency: string }) {
  const pages = usePagesWithin<RecurringRevenueMovement>('/v1/recurring-revenue/movements', {
    month,
    currency,
  });
  return (
    <div class="stack">
      <h3>Movements in {monthInWords(month)}</h3>
      <PagedTable
        is_list
        caption={`Movements in ${monthInWords(month)} in ${currency}, the greatest first`}
        pages={pages}
        keyOf={({ customer_id }) => customer_id}
        columns={[
          {
            title: 'Customer',
            show: ({ customer_id, name }) => <CutCustomerLink id={customer_id} name={name} />,
          },
          { title: 'Movement', show: ({ type }) => type },
          { title: 'Before', show: ({ before }) => <Quantity value={before} />, is_number: true },
          {
            title: 'After',
            show: ({ after }) => <Quantity value={after} />,
            is_number: true,
            on_phone: 'figure',
          },
        ]}
        empty={<Empty title="Nothing moved" />}
      />
    </div>
  );
}
