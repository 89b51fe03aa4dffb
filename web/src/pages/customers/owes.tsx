import { isZero } from '../../../../src/domain/figures.ts';
import { pathWith, type Client } from '../../api/client.ts';
import type { Customer, InvoiceSum, InvoiceSummary } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { grouped, Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** The amount that a customer owes in one currency, and the overdue part of it. */
type Owed = { currency: string; amount: string; overdue: string };

/** The first line about a customer: what it owes on open invoices, by currency, with links to them. */
export function Owes({ customer: { id, external_id } }: { customer: Customer }) {
  const loaded = useLoad<Owed[]>(pathWith('/v1/invoices/summary', { customer_id: id }), readOwed);
  return (
    <Loading of={loaded}>
      {(owed) => (
        <p class="owes">
          {owed.length === 0 ? 'owes nothing' : 'owes '}
          {owed.map((one, place) => (
            <span key={one.currency}>
              {place > 0 && '; '}
              <OwedIn of={one} customer_id={external_id} />
            </span>
          ))}
        </p>
      )}
    </Loading>
  );
}

function OwedIn({ of: { currency, amount, overdue }, customer_id }: { of: Owed; customer_id: string }) {
  return (
    <>
      <Link to={pathWith('/invoices', { customer_id, status: 'open' })}>
        <Money amount={amount} currency={currency} />
      </Link>
      {!isZero(overdue) && (
        <>
          ,{' '}
          <Link to={pathWith('/invoices', { customer_id, overdue: 'true' })}>
            <span class="overdue">{grouped(overdue)} overdue</span>
          </Link>
        </>
      )}
    </>
  );
}

async function readOwed(client: Client, path: string, signal: AbortSignal): Promise<Owed[]> {
  const sumsOf = async (filter: string) =>
    (await client.get<InvoiceSummary>(`${path}&${filter}`, signal)).data;
  const [open, overdue] = await Promise.all([sumsOf('status=open'), sumsOf('overdue=true')]);
  return open.map(({ currency, amount_due }) => {
    const isOfCurrency = (sum: InvoiceSum) => sum.currency === currency;
    return { currency, amount: amount_due, overdue: overdue.find(isOfCurrency)?.amount_due ?? '0' };
  });
}
