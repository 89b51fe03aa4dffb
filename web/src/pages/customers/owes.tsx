import { pathWith } from '../../api/client.ts';
import type { Customer } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loading } from '../../components/loading.tsx';
import { grouped } from '../../components/grouped.ts';
import { Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { readOwed, SUMS_OF_INVOICES, type Owed } from '../invoices/owed.ts';

/** The first line about a customer: what it owes on open invoices, by currency, with links to them. */
export function Owes({ customer: { id, external_id } }: { customer: Customer }) {
  const loaded = useLoad(pathWith(SUMS_OF_INVOICES, { customer_id: id }), readOwed);
  return (
    <Loading loaded={loaded}>
      {(owed) => (
        <p class="owes">
          {owed.length === 0 ? 'owes nothing' : 'owes '}
          {owed.map((sum, place) => (
            <span key={sum.currency}>
              {place > 0 && '; '}
              <OwedIn owed={sum} customer_id={external_id} />
            </span>
          ))}
        </p>
      )}
    </Loading>
  );
}

function OwedIn({ owed: { currency, open, overdue }, customer_id }: { owed: Owed; customer_id: string }) {
  return (
    <>
      <Link to={pathWith('/invoices', { customer_id, status: 'open' })}>
        <Money amount={open.amount_due} currency={currency} />
      </Link>
      {overdue !== null && (
        <>
          ,{' '}
          <Link to={pathWith('/invoices', { customer_id, overdue: 'true' })}>
            <span class="overdue">{grouped(overdue.amount_due)} overdue</span>
          </Link>
        </>
      )}
    </>
  );
}
