import type { WebhookEndpoint } from '../../api/objects.ts';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { Cut, Day, Quantity } from '../../components/values.tsx';
import { Link, useEnvironment } from '../../shell/environment.tsx';
import { May } from '../../shell/session.tsx';
import { Settings } from '../settings/settings.tsx';
import { NewWebhookButton } from './new-webhook.tsx';

/** The addresses to which changes are posted. */
export function WebhooksPage() {
  const environment = useEnvironment();
  const pages = usePages<WebhookEndpoint>('/v1/webhook-endpoints');
  const title = `Webhooks of ${environment} data`;
  return (
    <Settings
      title={title}
      actions={
        <May use="createWebhookEndpoint">
          <NewWebhookButton created={pages.loaded.reload} />
        </May>
      }
    >
      <PagedTable
        caption={title}
        pages={pages}
        keyOf={({ id }) => id}
        columns={COLUMNS}
        empty={
          <Empty title="No endpoints yet">
            <p>
              Add the address of a program that must know at once: each change is posted there, signed and in
              order.
            </p>
          </Empty>
        }
      />
    </Settings>
  );
}

const COLUMNS: Column<WebhookEndpoint>[] = [
  {
    title: 'Address',
    show: ({ id, url }) => (
      <Link to={`/settings/webhooks/${id}`}>
        <Cut text={url} />
      </Link>
    ),
  },
  {
    title: 'Status',
    show: ({ status, failing_since }) => <Badge status={stateOf({ status, failing_since })} />,
  },
  { title: 'Types', show: ({ types }) => <Cut text={types?.join(', ') ?? 'all'} /> },
  { title: 'Description', show: ({ description }) => description !== null && <Cut text={description} /> },
  {
    title: 'Delivered up to',
    show: ({ delivered_up_to }) => <Quantity value={delivered_up_to} />,
    is_number: true,
  },
  { title: 'Created', show: ({ created_at }) => <Day at={created_at} /> },
];

/** The status, or that an active endpoint has a delivery that fails. */
export function stateOf({
  status,
  failing_since,
}: Pick<WebhookEndpoint, 'status' | 'failing_since'>): string {
  return status === 'active' && failing_since !== null ? 'failing' : status;
}
