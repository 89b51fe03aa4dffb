import type { InvoiceSummary } from '../../api/objects.ts';
import { pathWith } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Link } from '../../shell/environment.tsx';
import { SumsTable } from '../invoices/invoice-sums.tsx';
import { monthInWords } from './month.ts';

/** The sums of the invoices that were issued in a month, by status and currency. */
export function IssuedInvoices({ month }: { month: string }) {
  const summary = useLoad<InvoiceSummary>(pathWith('/v1/invoices/summary', { issued_month: month }));
  return (
    <Section
      title={`Invoices issued in ${monthInWords(month)}`}
      actions={<Link to={pathWith('/invoices', { by: 'issue', month })}>Show all</Link>}
    >
      <Loading loaded={summary}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={`No invoice was issued in ${monthInWords(month)}`} />
          ) : (
            <SumsTable sums={data} />
          )
        }
      </Loading>
    </Section>
  );
}
