import { useState } from 'preact/hooks';
import type { WebhookDelivery } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { ActionButton, QuestionButton } from '../../components/action-button.tsx';
import { Badge } from '../../components/badge.tsx';
import { Empty } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { PagedTable, type Column } from '../../components/table.tsx';
import { grouped } from '../../components/grouped.ts';
import { Cut, Quantity, Time } from '../../components/values.tsx';
import { ObjectLink } from '../parts/object-link.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

const STATUSES = ['', 'pending', 'failing', 'delivered', 'skipped'];

/** The deliveries of an endpoint, newest first, by status. */
export function WebhookDeliveries({ path, changed }: { path: string; changed: () => void }) {
  const [status, setStatus] = useState('');
  const pages = usePagesWithin<WebhookDelivery>(`${path}/deliveries`, { status });
  const reload = () => {
    pages.loaded.reload();
    changed();
  };
  return (
    <Section
      title="Deliveries"
      actions={
        <>
          <label>
            Status{' '}
            <select value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
              {STATUSES.map((value) => (
                <option key={value} value={value}>
                  {value || 'any'}
                </option>
              ))}
            </select>
          </label>
          <button type="button" onClick={pages.loaded.reload}>
            Refresh
          </button>
        </>
      }
    >
      <PagedTable
        caption="Deliveries, newest first"
        pages={pages}
        keyOf={({ id }) => id}
        columns={columns(path, reload)}
        empty={
          <Empty title="No deliveries">
            <p>Changes of the endpoint’s types appear here. Those that are closed are kept for 30 days.</p>
          </Empty>
        }
      />
    </Section>
  );
}

function columns(path: string, reload: () => void): Column<WebhookDelivery>[] {
  return [
    { title: 'Number', show: (delivery) => <DeliveryLink delivery={delivery} />, is_number: true },
    { title: 'Type', show: ({ type }) => type },
    { title: 'Object', show: (delivery) => <DeliveredObject delivery={delivery} /> },
    { title: 'Status', show: ({ status }) => <Badge status={status} /> },
    { title: 'Tries', show: ({ attempts }) => <Quantity value={attempts} />, is_number: true },
    { title: 'Answer', show: (delivery) => <Cut text={answerOf(delivery)} /> },
    { title: 'Last try', show: ({ last_attempt_at }) => <Time at={last_attempt_at} /> },
    { title: 'Action', show: (delivery) => <Acts delivery={delivery} path={path} reload={reload} /> },
  ];
}

/** The number of a change, or "test", as a link to its delivery. */
function DeliveryLink({ delivery: { endpoint_id, id, sequence } }: { delivery: WebhookDelivery }) {
  return (
    <Link to={`/settings/webhooks/${endpoint_id}/deliveries/${id}`}>
      {sequence === null ? 'test' : grouped(`${sequence}`)}
    </Link>
  );
}

type Answer = Pick<WebhookDelivery, 'response_status' | 'response_body' | 'error'>;

/** An answer, or why there was none; nothing before the first try. */
export function answerOf({ response_status, response_body, error }: Answer): string {
  return response_status === null ? (error ?? '') : `${response_status} ${response_body ?? ''}`.trim();
}

/** The object of the change, by its name; the type begins with the kind of object. */
export function DeliveredObject({ delivery: { type, object_id } }: { delivery: WebhookDelivery }) {
  const [object_type = ''] = type.split('.');
  const object = { object_type, object_id, customer_id: null };
  return <ObjectLink object={object} is_gone={type.endsWith('.deleted')} />;
}

type ActsProps = { delivery: WebhookDelivery; path: string; reload: () => void };

/** Buttons for what a person does with a delivery; `path` is that of its endpoint. */
export function Acts({ delivery, path, reload }: ActsProps) {
  const client = useClient();
  const { id, status, sequence } = delivery;
  const post = async (act: string) => {
    await client.post(`${path}/deliveries/${id}/${act}`);
    reload();
  };
  if (sequence === null || status === 'pending') return null;
  return (
    <>
      <ActionButton label="Send again" perform={() => post('resend')} />
      {status === 'failing' && (
        <QuestionButton label="Skip" question="Skip this change?" perform={() => post('skip')}>
          <p>The receiver does not get it. Later changes of its object go on.</p>
        </QuestionButton>
      )}
    </>
  );
}
