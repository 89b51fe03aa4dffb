import { useRoute } from 'preact-iso/router';
import type { WebhookEndpoint } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { Badge } from '../../components/badge.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Code, Day, Quantity, Time } from '../../components/values.tsx';
import { Settings } from '../settings/settings.tsx';
import { WebhookActions } from './webhook-actions.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { stateOf } from './webhooks.tsx';

const POLLING_MS = 5000;

/** An endpoint with its deliveries. */
export function WebhookPage() {
  const { id = '' } = useRoute().params;
  const path = `/v1/webhook-endpoints/${encodeURIComponent(id)}`;
  const loaded = useLoad<WebhookEndpoint>(path);
  usePolling(loaded, POLLING_MS, true);
  return (
    <Loading loaded={loaded}>
      {(endpoint) => (
        <Settings
          title="Webhook endpoint"
          actions={<WebhookActions endpoint={endpoint} path={path} reload={loaded.reload} />}
        >
          {endpoint.status === 'parked' && (
            <Notice kind="fault">
              <p>
                <strong>Deliveries have stopped:</strong> {endpoint.status_reason}. Correct the cause, then
                resume: it goes on where it stopped, and nothing is lost.
              </p>
            </Notice>
          )}
          <Definitions
            entries={[
              ['Address', <Code>{endpoint.url}</Code>],
              ['Status', <Badge status={stateOf(endpoint)} />],
              ['Reason', endpoint.status_reason],
              ['Types', endpoint.types?.join(', ') ?? 'all'],
              ['Description', endpoint.description],
              ['Content', endpoint.payload],
              ['Delivered up to', <Quantity value={endpoint.delivered_up_to} />],
              ['Failing since', endpoint.failing_since && <Time at={endpoint.failing_since} />],
              [
                'Old secret until',
                endpoint.previous_secret_until && <Time at={endpoint.previous_secret_until} />,
              ],
              ['Id', <Code>{endpoint.id}</Code>],
              ['Created', <Day at={endpoint.created_at} />],
            ]}
          />
          <WebhookDeliveries path={path} changed={loaded.reload} />
        </Settings>
      )}
    </Loading>
  );
}
