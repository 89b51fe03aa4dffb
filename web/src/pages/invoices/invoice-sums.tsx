import { useState } from 'preact/hooks';
import { isZero } from '../../../../src/domain/money/figures.ts';
import { pathWith, type Query } from '../../api/client.ts';
import type { InvoiceSum, InvoiceSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money, words } from '../../components/values.tsx';

const STATUSES = ['draft', 'open', 'paid', 'void'] as const;

/**
 * The sums of all invoices that the filters of the list find, a row for each currency, in a part of the page of its
 * own: folded on a phone, so that the first invoice is in sight.
 */
export function InvoiceSums({ filters }: { filters: Query }) {
  const [is_wide] = useState(() => matchMedia('(min-width: 40rem)').matches);
  return (
    <section class="sums">
      <Disclosure summary="Sums of these invoices" is_open_at_first={is_wide}>
        <Sums filters={filters} />
      </Disclosure>
    </section>
  );
}

function Sums({ filters }: { filters: Query }) {
  const loaded = useLoad<InvoiceSummary>(pathWith('/v1/invoices/summary', filters));
  return (
    <Loading loaded={loaded}>
      {({ data }) =>
        data.length === 0 ? (
          <p class="faint">None</p>
        ) : (
          <Table
            caption="Sums by currency"
            items={byCurrency(data)}
            keyOf={({ currency }) => currency}
            columns={[
              { title: 'Currency', show: ({ currency }) => currency },
              ...STATUSES.filter((status) => data.some((sum) => sum.status === status)).map(statusColumn),
            ]}
          />
        )
      }
    </Loading>
  );
}

type CurrencySums = { currency: string; sums: readonly InvoiceSum[] };

function byCurrency(sums: readonly InvoiceSum[]): CurrencySums[] {
  const currencies = [...new Set(sums.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => ({
    currency,
    sums: sums.filter((sum) => sum.currency === currency),
  }));
}

/** The total of a status, the number of its invoices, the tax within it, and what is due of it where that is less. */
function statusColumn(status: InvoiceSum['status']): Column<CurrencySums> {
  return {
    title: words(status),
    is_number: true,
    show: ({ sums }) => {
      const sum = sums.find((of) => of.status === status);
      if (sum === undefined) return <span class="faint">–</span>;
      const { count, total, tax, amount_due, currency } = sum;
      return (
        <>
          <Money amount={total} currency={currency} />
          <div class="faint">
            {count === 1 ? '1 invoice' : `${grouped(`${count}`)} invoices`}
            {!isZero(tax) && `, tax ${grouped(tax)}`}
            {status === 'open' && amount_due !== total && `, due ${grouped(amount_due)}`}
          </div>
        </>
      );
    },
  };
}

/** Sums of invoices, a row for each status and currency. */
export function SumsTable({ sums }: { sums: readonly InvoiceSum[] }) {
  return (
    <Table
      caption="Sums by status and currency"
      items={sums}
      keyOf={({ status, currency }) => `${status} ${currency}`}
      columns={COLUMNS}
    />
  );
}

const amountColumn = (title: string, amountOf: (sum: InvoiceSum) => string): Column<InvoiceSum> => ({
  title,
  show: (sum) => <Money amount={amountOf(sum)} currency={sum.currency} />,
  is_number: true,
});

const COLUMNS: readonly Column<InvoiceSum>[] = [
  { title: 'Status', show: ({ status }) => <Badge status={status} /> },
  { title: 'Invoices', show: ({ count }) => count, is_number: true },
  amountColumn('Total', ({ total }) => total),
  amountColumn('Tax included', ({ tax }) => tax),
  amountColumn('Paid', ({ amount_paid }) => amount_paid),
  amountColumn('Amount due', ({ amount_due }) => amount_due),
];
