import { negated } from '../../../../src/domain/money/figures.ts';
import { pathWith } from '../../api/client.ts';
import type { JournalDocuments } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { monthInWords } from './month.ts';

/** The documents of a month by the day that they print and by the journal, and those that are in another month. */
export function DocumentsInJournal({ month }: { month: string }) {
  const documents = useLoad<JournalDocuments>(pathWith('/v1/journal/documents', { month }));
  return (
    <Section title="Documents and journal">
      <Loading loaded={documents}>
        {(found) =>
          found.data.length === 0 ? (
            <Empty title={`No invoice and no credit note is of ${monthInWords(month)}`} />
          ) : (
            <div class="stack">
              <Table
                caption="Totals of documents by currency"
                keyOf={({ currency }) => currency}
                items={found.data}
                columns={COLUMNS}
              />
              <Differing found={found} month={month} />
            </div>
          )
        }
      </Loading>
    </Section>
  );
}

type Sum = JournalDocuments['data'][number];

const amountColumn = (title: string, amountOf: (sum: Sum) => string): Column<Sum> => ({
  title,
  show: (sum) => <Money amount={amountOf(sum)} currency={sum.currency} />,
  is_number: true,
});

const COLUMNS: readonly Column<Sum>[] = [
  { title: 'Currency', show: ({ currency }) => currency },
  amountColumn('Dated in the month', ({ documents }) => documents),
  amountColumn('Booked in the month', ({ booked }) => booked),
  amountColumn('Difference', ({ difference }) => difference),
];

/** "1,400 JPY: INV-000034, dated in November 2026". */
function Differing({ found: { differing, has_more }, month }: { found: JournalDocuments; month: string }) {
  if (differing.length === 0) return <p>Every document is booked in the month of its day.</p>;
  return (
    <>
      <ul>
        {differing.map(({ object_id, number, amount, currency, printed_month, booked_month }) => (
          <li key={object_id}>
            <Money amount={booked_month === month ? amount : negated(amount)} currency={currency} />:{' '}
            <Link to={`/${object_id.startsWith('cn_') ? 'credit-notes' : 'invoices'}/${object_id}`}>
              {number}
            </Link>
            ,{' '}
            {booked_month === month
              ? `dated in ${monthInWords(printed_month)}`
              : `booked in ${monthInWords(booked_month)}`}
          </li>
        ))}
      </ul>
      {has_more && <p>More documents differ: the files of both months have all of them.</p>}
    </>
  );
}
