import { pathWith, type Query } from '../../api/client.ts';
import type { Revenue, RevenueBucket } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Cut, Quantity } from '../../components/values.tsx';
import { CutCustomerLink } from '../parts/links.tsx';
import { labelOf } from './revenue-chart.tsx';

/** A customer or a plan, or all others, with its revenue by the start of each part. */
type Row = { id: string | null; name: string | null; totals: ReadonlyMap<string, string> };

/** The groups of the greatest revenue as rows, with a column for each part of the range. */
export function RevenueGroups({ query }: { query: Query }) {
  const loaded = useLoad<Revenue>(pathWith('/v1/revenue', query));
  return (
    <Loading loaded={loaded}>
      {(revenue) => (
        <Table
          caption={`Revenue by ${revenue.group_by} in ${revenue.currency}`}
          keyOf={({ id }) => id ?? ''}
          items={rowsOf(revenue)}
          columns={columnsOf(revenue)}
        />
      )}
    </Loading>
  );
}

/** Rows in the order of the API, which has the greatest first, but all others last. */
function rowsOf({ data }: Revenue): Row[] {
  const ids = [...new Set(data.map(({ group }) => group?.id ?? null))];
  const rows = ids.map((id) => {
    const of_group = data.filter(({ group }) => (group?.id ?? null) === id);
    const totals = new Map(of_group.map(({ from, total }) => [from, total]));
    return { id, name: of_group[0]?.group?.name ?? null, totals };
  });
  return [...rows.filter(({ id }) => id !== null), ...rows.filter(({ id }) => id === null)];
}

function columnsOf(revenue: Revenue): Column<Row>[] {
  const buckets = new Map<string, RevenueBucket>(revenue.data.map((bucket) => [bucket.from, bucket]));
  return [
    {
      title: revenue.group_by === 'plan' ? 'Plan' : 'Customer',
      show: (row) => <GroupName row={row} by={revenue.group_by} />,
    },
    ...[...buckets.values()].map((bucket): Column<Row> => ({
      title: labelOf(revenue, bucket),
      show: ({ totals }) => {
        const total = totals.get(bucket.from);
        return total === undefined ? <span class="faint">–</span> : <Quantity value={total} />;
      },
      is_number: true,
    })),
  ];
}

function GroupName({ row: { id, name }, by }: { row: Row; by: Revenue['group_by'] }) {
  if (id === null) return <span class="faint">All others</span>;
  return by === 'customer' ? <CutCustomerLink id={id} name={name} /> : <Cut text={name ?? id} />;
}
