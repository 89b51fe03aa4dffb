import { isZero, totalOf } from '../../../../src/domain/money/figures.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Customer, Invoice, List } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Money, Quantity } from '../../components/values.tsx';

/** The sums that a payer looks for first: what is due, what of it is overdue, and what is there in advance. */
export function Owed({ customer }: { customer: Customer }) {
  const { balance, currency, credit_remaining } = customer;
  const open = useLoad<List<Invoice>>('/v1/invoices?status=open', everyPage);
  return (
    <Loading loaded={open}>
      {({ data, has_more }) => (
        <div class="stack">
          <p class="lead owed">
            {data.length === 0 ? 'Nothing is due.' : <Due invoices={data} />}
            {has_more && ' These are the newest 2,000 open invoices; there are more.'}
          </p>
          <Definitions
            entries={[
              ['Balance, which pays for the next invoices', <Money amount={balance} currency={currency} />],
              ['Credit left, in units of usage', <Quantity value={credit_remaining} />],
            ]}
          />
        </div>
      )}
    </Loading>
  );
}

/** The sums by currency, which may have changed between two invoices. */
function Due({ invoices }: { invoices: readonly Invoice[] }) {
  const currencies = [...new Set(invoices.map(({ currency }) => currency))];
  return (
    <>
      {currencies.map((currency) => {
        const owed = invoices.filter((invoice) => invoice.currency === currency);
        const due = totalOf(owed.map(({ amount_due }) => amount_due));
        const overdue = owed.filter((invoice) => invoice.overdue).map(({ amount_due }) => amount_due);
        return (
          <span key={currency} class="owed-sum">
            Due:{' '}
            <strong>
              <Money amount={due} currency={currency} />
            </strong>
            {overdue.length > 0 && !isZero(totalOf(overdue)) && (
              <>
                , of which{' '}
                <strong class="overdue">
                  <Money amount={totalOf(overdue)} currency={currency} /> is overdue
                </strong>
              </>
            )}
            .{' '}
          </span>
        );
      })}
    </>
  );
}
