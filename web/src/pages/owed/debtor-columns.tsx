import { isZero } from '../../../../src/domain/money/figures.ts';
import type { Debtor } from '../../api/objects.ts';
import type { Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, Quantity } from '../../components/values.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { AGES } from './ages.ts';

/** A debtor: who it is, since when, how much of each age, and how much in all. */
export const DEBTOR_COLUMNS: readonly Column<Debtor>[] = [
  {
    title: 'Customer',
    show: ({ customer_id, name }) => <CutCustomerLink id={customer_id} name={name} />,
  },
  {
    title: 'Oldest',
    show: ({ oldest_due_date }) => <span class="nowrap">due {oldest_due_date}</span>,
  },
  {
    title: 'Invoices',
    show: ({ invoices }) => <Quantity value={invoices} />,
    is_number: true,
    on_phone: 'hidden',
  },
  ...AGES.map(([age, title]): Column<Debtor> => ({
    title,
    show: (debtor) =>
      isZero(debtor[age]) ? <span class="faint">–</span> : <span class="number">{grouped(debtor[age])}</span>,
    is_number: true,
    on_phone: 'hidden',
  })),
  {
    title: 'Total',
    show: ({ total, currency }) => <Money amount={total} currency={currency} />,
    is_number: true,
    on_phone: 'figure',
  },
];
