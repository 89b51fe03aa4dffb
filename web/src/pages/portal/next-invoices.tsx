import type { Subscription, UpcomingInvoice } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Money, Period } from '../../components/values.tsx';
import { BesideEarlier } from '../invoices/beside-earlier.tsx';
import { BillLines } from '../invoices/invoice-lines.tsx';
import { noteOfKind } from '../invoices/invoice-state.tsx';
import { UPCOMING } from '../subscriptions/upcoming.tsx';
import type { Plans } from './paper-words.ts';

type NextInvoicesProps = { subscriptions: readonly Subscription[]; plans: Plans };

/** The next invoice of each subscription, with the usage so far. */
export function NextInvoices({ subscriptions, plans }: NextInvoicesProps) {
  return (
    <Section title="To come">
      {subscriptions.length === 0 ? (
        <Empty title="No subscription">
          <p>No further invoice follows.</p>
        </Empty>
      ) : (
        <ul class="lines">
          {subscriptions.map((subscription) => (
            <li key={subscription.id}>
              <NextInvoice subscription={subscription} plans={plans} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function NextInvoice({ subscription: { id }, plans }: { subscription: Subscription; plans: Plans }) {
  const path = `/v1/subscriptions/${id}/upcoming-invoice`;
  const loaded = useLoad<UpcomingInvoice>(path);
  // No invoice follows, or it cannot be made now, which is no matter of the payer.
  if (loaded.fault?.status === 409) return <p class="faint">A subscription without a further invoice.</p>;
  return (
    <Loading loaded={loaded}>
      {(upcoming) => (
        <Disclosure summary={<Summary bill={upcoming} plans={plans} />}>
          <BesideEarlier path={path} bill={upcoming} name={UPCOMING} />
          <BillLines bill={upcoming} lines={upcoming.line_items} />
        </Disclosure>
      )}
    </Loading>
  );
}

function Summary({ bill, plans }: { bill: UpcomingInvoice; plans: Plans }) {
  const { plan_id, period_start, period_end, timezone, total, currency } = bill;
  const words = [plans.get(plan_id)?.name, noteOfKind(bill)].filter((text) => text);
  return (
    <span class="line">
      <span class="line-words">
        The invoice for <Period from={period_start} to={period_end} timezone={timezone} />, as of now{' '}
        <span class="faint">{words.join(', ')}</span>
      </span>
      <Money amount={total} currency={currency} />
    </span>
  );
}
