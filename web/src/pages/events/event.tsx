import { useRoute } from 'preact-iso/router';
import type { EventBilling, EventWithBilling } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Table, type Column } from '../../components/table.tsx';
import { Code, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

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
            <Section title="What billing makes of it">
              <Table
                caption="What billing makes of the event, for each charge that it concerns"
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
  const customer = <Link to={`/customers/${encodeURIComponent(customer_id)}`}>{customer_id}</Link>;
  return (
    <Definitions
      of={[
        ['Event name', event_name],
        ['Customer', customer],
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
  filters_do_not_match: 'A charge has this event name, but its filters ask for other properties.',
  before_start: 'It happened before the subscription began.',
  after_cancellation: 'It happened after the subscription ended.',
  property_missing: 'The property that the charge measures is missing.',
  property_not_usable: 'The property that the charge measures is not of a kind that it can use.',
  invoice_void: "Its period's invoice is void; the period is billed again only when somebody asks for it.",
};

const BILLING_COLUMNS: readonly Column<EventBilling>[] = [
  { title: 'Billing status', show: ({ status }) => <Badge status={status} /> },
  { title: 'Why', show: ({ reason }) => (reason === null ? '–' : REASONS[reason]) },
  { title: 'Invoice line', show: (billing) => <BilledBy billing={billing} /> },
  {
    title: 'Subscription',
    show: ({ subscription_id }) =>
      subscription_id === null ? (
        '–'
      ) : (
        <Link to={`/subscriptions/${subscription_id}`}>{subscription_id}</Link>
      ),
  },
  { title: 'Charge', show: ({ charge_id }) => (charge_id === null ? '–' : <Code>{charge_id}</Code>) },
];

function BilledBy({ billing: { invoice_id, line_item_id } }: { billing: EventBilling }) {
  if (invoice_id === null) return <>–</>;
  return <Link to={`/invoices/${invoice_id}#${line_item_id ?? ''}`}>{line_item_id ?? invoice_id}</Link>;
}
