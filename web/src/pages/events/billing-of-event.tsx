import { pathWith } from '../../api/client.ts';
import type { EventBilling, EventWithBilling, List, Subscription } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { Period } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { BillingSentence } from './billing-sentence.tsx';
import { CountedByPlans } from './counted-by-plans.tsx';

/**
 * The billing of an event: a sentence for each charge that counts it; for one that none counts, what the customer's
 * plans count.
 */
export function BillingOfEvent({ event: { billing, customer_id } }: { event: EventWithBilling }) {
  const path = pathWith('/v1/subscriptions', { customer_id, limit: '200' });
  const subscriptions = useLoad<List<Subscription>>(path).value?.data ?? [];
  const timezoneOf = ({ subscription_id }: EventBilling) =>
    subscriptions.find(({ id }) => id === subscription_id)?.timezone ?? 'UTC';
  const is_unrated = billing.some(
    ({ status, reason }) => status === 'unrated' && reason !== 'no_subscription',
  );
  return (
    <Section title="Billing">
      <ul class="event-billing">
        {billing.map((charge_billing) => (
          <li key={`${charge_billing.subscription_id} ${charge_billing.charge_id}`}>
            <Fate billing={charge_billing} customer_id={customer_id} timezone={timezoneOf(charge_billing)} />
          </li>
        ))}
      </ul>
      {is_unrated && <CountedByPlans customer_id={customer_id} />}
    </Section>
  );
}

type FateProps = {
  billing: EventBilling;
  customer_id: string;
  /** Time zone of the subscription, whose days its invoices print. */
  timezone: string;
};

function Fate({ billing, customer_id, timezone }: FateProps) {
  const { status, charge_name, subscription_id, period_start, period_end } = billing;
  return (
    <>
      <p>
        <Badge status={status} /> <strong>{charge_name}</strong>
      </p>
      <p>
        <BillingSentence billing={billing} customer_id={customer_id} timezone={timezone} />
      </p>
      {subscription_id !== null && (
        <p class="faint">
          <Link to={`/subscriptions/${subscription_id}`}>Subscription</Link>
          {period_start !== null && period_end !== null && (
            <>
              , period <Period from={period_start} to={period_end} timezone={timezone} />
            </>
          )}
        </p>
      )}
    </>
  );
}
