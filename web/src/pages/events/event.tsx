import { useRoute } from 'preact-iso/router';
import type { EventWithBilling } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Code, Time } from '../../components/values.tsx';
import { ClockOfCustomer } from '../parts/clock-ahead.tsx';
import { CustomerLink } from '../parts/links.tsx';
import { BillingOfEvent } from './billing-of-event.tsx';

/** Page of one event, with its billing status for each charge. */
export function EventPage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<EventWithBilling>(`/v1/events/${encodeURIComponent(id)}`);
  return (
    <Page title={loaded.value === null ? 'Event' : `Event ${loaded.value.event_name}`}>
      <Loading loaded={loaded}>
        {(event) => (
          <>
            <Particulars event={event} />
            <ClockOfCustomer id={event.customer_id} />
            <BillingOfEvent event={event} />
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
      entries={[
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
