import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Client, type Query } from '../../api/client.ts';
import type { Customer, CustomerFigures, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import type { Column } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { PlanLink } from '../parts/links.tsx';

/** The amounts that customers owe, and their plans, by their ids; null while they are not known. */
type Figures = ReadonlyMap<string, CustomerFigures> | null;

/** Fetches the figures of some customers in one request. */
export function useFigures(customers: readonly Customer[]): Figures {
  const ids = customers.map(({ id }) => id).join(',');
  const path = ids === '' ? null : pathWith('/dashboard/api/customer-figures', { ids });
  return useLoad<Figures>(path, figuresOf).value;
}

/** The ids are in the path so that useLoad sees when they change; the request has them in its body. */
async function figuresOf(client: Client, path: string, signal: AbortSignal): Promise<Figures> {
  const [base = '', query = ''] = path.split('?');
  const ids = new URLSearchParams(query).get('ids')?.split(',') ?? [];
  const { data } = await client.ask<Pick<List<CustomerFigures>, 'data'>>(base, { ids }, signal);
  return new Map(data.map((figures) => [figures.id, figures]));
}

/** Columns with the plans of a customer, with what it owes and what of it is overdue. */
export function figureColumns(figures: Figures): Column<Customer>[] {
  return [
    {
      title: 'Plan',
      show: ({ id }) => <Plans ids={figures?.get(id)?.plan_ids ?? []} />,
    },
    owedColumn(figures, { title: 'Owes', amountOf: ({ total }) => total, filter: { status: 'open' } }),
    {
      ...owedColumn(figures, {
        title: 'Overdue',
        amountOf: ({ overdue }) => overdue,
        filter: { overdue: 'true' },
      }),
      on_phone: 'hidden',
    },
  ];
}

/** The first plan, and how many there are besides. */
function Plans({ ids: [first, ...more] }: { ids: readonly string[] }) {
  if (first === undefined) return <span class="faint">–</span>;
  return (
    <>
      <span class="cut">
        <PlanLink id={first} />
      </span>
      {more.length > 0 && <span class="faint"> and {more.length} more</span>}
    </>
  );
}

type Owed = NonNullable<CustomerFigures['owed']>;

/** An amount with a link to the invoices that a filter of their list finds. */
type OwedColumn = { title: string; amountOf: (owed: Owed) => string; filter: Query };

function owedColumn(figures: Figures, { title, amountOf, filter }: OwedColumn): Column<Customer> {
  return {
    title,
    is_number: true,
    on_phone: 'figure',
    show: ({ id, external_id }) => {
      const owed = figures?.get(id)?.owed ?? null;
      if (owed === null || isZero(amountOf(owed))) return <span class="faint">–</span>;
      return (
        <Link to={pathWith('/invoices', { customer_id: external_id, ...filter })}>
          <Money amount={amountOf(owed)} currency={owed.currency} />
        </Link>
      );
    },
  };
}
