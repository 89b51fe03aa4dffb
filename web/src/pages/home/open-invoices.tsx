import { pathWith, type Client } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, sumOfCounts } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { readOwed, SUMS_OF_INVOICES, type Owed } from '../invoices/owed.ts';

/** The amounts that customers owe, by currency, and the number of drafts that wait. */
export function OpenInvoices() {
  const loaded = useLoad(SUMS_OF_INVOICES, readOwedAndDrafts);
  return (
    <Section title="Open and overdue" actions={<Link to="/month-end">Month end</Link>}>
      <Loading loaded={loaded}>
        {({ owed, drafts }) => (
          <>
            {owed.length === 0 ? (
              <p class="faint">No invoice is open.</p>
            ) : (
              <Table
                caption="What customers owe, by currency"
                keyOf={({ currency }) => currency}
                items={owed}
                columns={COLUMNS}
              />
            )}
            {drafts !== '0' && (
              <p>
                <Link to="/invoices?status=draft">
                  {drafts === '1' ? 'One draft is held' : `${grouped(drafts)} drafts are held`}
                </Link>{' '}
                for late events, and issued automatically when its hold ends.
              </p>
            )}
          </>
        )}
      </Loading>
    </Section>
  );
}

async function readOwedAndDrafts(client: Client, path: string, signal: AbortSignal) {
  const [owed, { data }] = await Promise.all([
    readOwed(client, path, signal),
    client.get<InvoiceSummary>(pathWith(path, { status: 'draft' }), signal),
  ]);
  return { owed, drafts: sumOfCounts(data.map(({ count }) => `${count}`)) };
}

const COLUMNS: readonly Column<Owed>[] = [
  { title: 'Currency', show: ({ currency }) => currency },
  sumColumn('Open', '/invoices?status=open', ({ open }) => open),
  sumColumn('Overdue', '/invoices?overdue=true', ({ overdue }) => overdue),
];

function sumColumn(title: string, page: string, sumOf: (owed: Owed) => InvoiceSum | null): Column<Owed> {
  return {
    title,
    is_number: true,
    show: (owed) => {
      const sum = sumOf(owed);
      if (sum === null) return <span class="faint">–</span>;
      return (
        <>
          <Money amount={sum.amount_due} currency={sum.currency} />{' '}
          <Link to={page}>
            {sum.count === 1 ? '1 invoice' : `${grouped(`${sum.count}`)} invoices`}
            <span class="unseen"> {title.toLowerCase()}</span>
          </Link>
        </>
      );
    },
  };
}
