import { useRoute } from 'preact-iso/router';
import type { OpenedDelivery } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { Badge } from '../../components/badge.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { grouped } from '../../components/grouped.ts';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { Code, Quantity, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { Settings } from '../settings/settings.tsx';
import { Acts, answerOf, DeliveredObject } from './webhook-deliveries.tsx';

const POLLING_MS = 5000;

/** A delivery: what was sent, and what the receiver answered to each try. */
export function WebhookDeliveryPage() {
  const { id = '', delivery_id = '' } = useRoute().params;
  const endpoint = `/v1/webhook-endpoints/${encodeURIComponent(id)}`;
  const loaded = useLoad<OpenedDelivery>(`${endpoint}/deliveries/${encodeURIComponent(delivery_id)}`);
  const is_open = loaded.value?.status === 'pending' || loaded.value?.status === 'failing';
  usePolling(loaded, POLLING_MS, is_open);
  return (
    <Loading loaded={loaded}>
      {(delivery) => (
        <Settings
          title={delivery.sequence === null ? 'Delivery of a test' : `Delivery of ${numberOf(delivery)}`}
          actions={<Acts delivery={delivery} path={endpoint} reload={loaded.reload} />}
        >
          <Particulars delivery={delivery} />
          <Body delivery={delivery} />
          <Tries delivery={delivery} />
        </Settings>
      )}
    </Loading>
  );
}

type Props = { delivery: OpenedDelivery };

function numberOf({ sequence }: OpenedDelivery): string {
  return `change ${grouped(`${sequence}`)}`;
}

function Particulars({ delivery }: Props) {
  const { id, endpoint_id, type, status, attempts, created_at, next_attempt_at, tries } = delivery;
  return (
    <Definitions
      entries={[
        ['Endpoint', <Link to={`/settings/webhooks/${endpoint_id}`}>{tries[0]?.url ?? endpoint_id}</Link>],
        ['Type', type],
        ['Object', <DeliveredObject delivery={delivery} />],
        ['Status', <Badge status={status} />],
        ['Tries', <Quantity value={attempts} />],
        ['Next try', next_attempt_at && <Time at={next_attempt_at} />],
        ['Created', <Time at={created_at} />],
        ['Id', <Code>{id}</Code>],
      ]}
    />
  );
}

/** The body of the last try, byte for byte; only its display wraps. */
function Body({ delivery: { body, tries } }: Props) {
  return (
    <Section title="Body" actions={body !== null && <CopyButton text={body} what="the body" />}>
      {body === null ? (
        <p class="faint">
          {tries.length === 0
            ? 'Nothing is sent yet.'
            : 'The change is no longer kept, and its body with it.'}
        </p>
      ) : (
        <pre class="body sent" tabIndex={0}>
          {body}
        </pre>
      )}
    </Section>
  );
}

function Tries({ delivery: { attempts, tries } }: Props) {
  if (tries.length === 0) return null;
  const title = attempts > tries.length ? `The newest ${tries.length} of ${attempts} tries` : 'Tries';
  return (
    <Section title={title}>
      {tries.map((each, place) => (
        <Disclosure
          key={each.at}
          summary={<Summary sent={each} number={attempts - place} />}
          is_open_at_first={place === 0}
        >
          <Try sent={each} />
        </Disclosure>
      ))}
    </Section>
  );
}

type Try = OpenedDelivery['tries'][number];

/** "3. 2026-11-30 10:20:05 UTC: 500", or the error. */
function Summary({ sent, number }: { sent: Try; number: number }) {
  return (
    <>
      {number}. <Time at={sent.at} />: {sent.response_status ?? sent.error}
    </>
  );
}

function Try({ sent }: { sent: Try }) {
  const { url, payload, headers, duration_ms } = sent;
  return (
    <div class="stack">
      <Definitions
        entries={[
          ['Address', <Code>{url}</Code>],
          ['Content', payload],
          ['Took', `${grouped(`${duration_ms}`)} ms`],
        ]}
      />
      <h3>Headers</h3>
      {headers === null ? (
        <p class="faint">The change is no longer kept, and its headers with it.</p>
      ) : (
        <pre class="body sent" tabIndex={0}>
          {Object.entries(headers)
            .map(([name, value]) => `${name}: ${value}`)
            .join('\n')}
        </pre>
      )}
      <h3>Answer</h3>
      <pre class="body sent" tabIndex={0}>
        {answerOf(sent)}
      </pre>
    </div>
  );
}
