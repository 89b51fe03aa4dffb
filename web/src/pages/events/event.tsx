import { useRoute } from 'preact-iso/router';
import type { EventBilling, EventWithBilling } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { ChargeName } from '../../components/name.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Code, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { CustomerLink, InvoiceLink } from '../links.tsx';

/** Page of one event, with its billing status for each charge. */
export function EventPage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<EventWithBilling>(`/v1/events/${encodeURIComponent(id)}`);
  return (
    <Page title={loaded.value === null ? 'Event' : `Event ${loaded.value.event_name}`}>
      <Loading of={loaded}>
        {(event) => (
          <>
            <Particulars event={event} />
            <Section title="Billing status">
              <Table
                caption="Billing status of the event, for each charge that counts it"
                keyOf={({ charge_id, subscription_id }) => `${subscription_id} ${charge_id}`}
                items={event.billing}
                columns={BILLING_COLUMNS}
              />
            </Section>
            <Body properties={event.properties} />
          </>
        )}
      </Loading>
    </Page>
  );
}

function Particulars({ event }: { event: EventWithBilling }) {
  const { id, event_name, customer_id, idempotency_key, timestamp, created_at } = event;
  return (
    <Definitions
      of={[
        ['Event name', event_name],
        ['Customer', <CustomerLink id={customer_id} />],
        ['Timestamp', <Time at={timestamp} />],
        ['Stored', <Time at={created_at} />],
        ['Idempotency key', <Code>{idempotency_key}</Code>],
        ['Id', <Code>{id}</Code>],
      ]}
    />
  );
}

function Body({ properties }: { properties: EventWithBilling['properties'] }) {
  const text = JSON.stringify(properties, null, 2);
  return (
    <Section title="Properties" actions={<CopyButton text={text} what="the properties" />}>
      <pre class="body" tabIndex={0}>
        {text}
      </pre>
    </Section>
  );
}

/** The API's reasons as sentences. */
const REASONS: Readonly<Record<NonNullable<EventBilling['reason']>, string>> = {
  no_subscription: 'The customer has no subscription.',
  no_charge: "No charge of the customer's plans has this event name.",
  filters_do_not_match: 'A charge has this event name, but the properties do not match its filters.',
  no_price:
    'A charge has this event name, but none of its prices is for the properties of the event, and it has no price for all others.',
  before_start: 'The timestamp is before the start of the subscription.',
  after_cancellation: 'The timestamp is after the end of the subscription.',
  property_missing: 'The event does not have the property that the charge measures.',
  property_not_usable: 'The charge cannot use the value of the property that it measures.',
  invoice_void: 'The invoice of the period is void. To bill the period again, generate a new invoice.',
};

const BILLING_COLUMNS: readonly Column<EventBilling>[] = [
  { title: 'Billing status', show: ({ status }) => <Badge status={status} /> },
  { title: 'Reason', show: ({ reason }) => (reason === null ? '–' : REASONS[reason]) },
  { title: 'Invoice', show: (billing) => <BilledBy billing={billing} /> },
  {
    title: 'Subscription',
    show: ({ subscription_id }) =>
      subscription_id === null ? '–' : <Link to={`/subscriptions/${subscription_id}`}>subscription</Link>,
  },
  { title: 'Charge', show: ({ charge_id }) => (charge_id === null ? '–' : <ChargeName id={charge_id} />) },
];

function BilledBy({ billing: { invoice_id, line_item_id } }: { billing: EventBilling }) {
  if (invoice_id === null) return <>–</>;
  return <InvoiceLink id={invoice_id} part={line_item_id} />;
}
