import { pathWith, type Client } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped, Money, sumOfCounts } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** Sums of a currency; `overdue` is a part of `open`. Null where there is no invoice. */
type Owed = { currency: string; open: InvoiceSum | null; overdue: InvoiceSum | null };

/** The amounts that customers owe, by currency, and the number of drafts that wait. */
export function OpenInvoices() {
  const loaded = useLoad(SUMMARY, readOwed);
  return (
    <Section title="Open and overdue" actions={<Link to="/month-end">Month end</Link>}>
      <Loading of={loaded}>
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

const SUMMARY = '/v1/invoices/summary';

async function readOwed(client: Client, path: string, signal: AbortSignal) {
  const read = async (filters: { status?: string; overdue?: string }) =>
    (await client.get<InvoiceSummary>(pathWith(path, filters), signal)).data;
  const [open, overdue, drafts] = await Promise.all([
    read({ status: 'open' }),
    read({ overdue: 'true' }),
    read({ status: 'draft' }),
  ]);
  const of = (sums: readonly InvoiceSum[], currency: string) =>
    sums.find((sum) => sum.currency === currency) ?? null;
  const owed: Owed[] = open.map(({ currency }) => ({
    ...{ currency, open: of(open, currency), overdue: of(overdue, currency) },
  }));
  return { owed, drafts: sumOfCounts(drafts.map(({ count }) => `${count}`)) };
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
