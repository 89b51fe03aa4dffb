import { totalOf } from '../../../../src/domain/money/figures.ts';
import type { JournalSum, JournalSummary } from '../../api/objects.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Money, words } from '../../components/values.tsx';
import { monthInWords } from './month.ts';

/** The sums of the journal of a month, by currency and account; debits and credits of a currency are equal. */
export function TrialBalance({ month, summary }: { month: string; summary: Loaded<JournalSummary> }) {
  return (
    <Section title="Trial balance">
      <Loading loaded={summary}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={`Nothing was booked in ${monthInWords(month)}`} />
          ) : (
            <Table
              caption="Debits and credits by currency and account"
              keyOf={({ currency, account }) => `${currency} ${account}`}
              items={withTotals(data)}
              columns={COLUMNS}
            />
          )
        }
      </Loading>
    </Section>
  );
}

type Row = Omit<JournalSum, 'account'> & { account: string };

const COLUMNS: readonly Column<Row>[] = [
  { title: 'Currency', show: ({ currency }) => currency },
  {
    title: 'Account',
    show: ({ account }) => (account === TOTAL ? <strong>{account}</strong> : words(account)),
  },
  {
    title: 'Debit',
    show: ({ debit, currency }) => <Money amount={debit} currency={currency} />,
    is_number: true,
  },
  {
    title: 'Credit',
    show: ({ credit, currency }) => <Money amount={credit} currency={currency} />,
    is_number: true,
  },
];

const TOTAL = 'Total';

/** The sums of each currency, and below them their total. */
function withTotals(sums: readonly JournalSum[]): Row[] {
  const currencies = [...new Set(sums.map(({ currency }) => currency))];
  return currencies.flatMap((currency) => {
    const rows = sums.filter((sum) => sum.currency === currency);
    const total = (side: 'debit' | 'credit') => totalOf(rows.map((row) => row[side]));
    return [...rows, { currency, account: TOTAL, debit: total('debit'), credit: total('credit') }];
  });
}
