import type { Home } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** Webhook endpoints that need a person, and a feed that is late; nothing where all is well. */
export function ChangesTrouble({ home: { webhook_endpoints, changes_late_seconds } }: { home: Home }) {
  return (
    <>
      {changes_late_seconds > 0 && (
        <Notice kind="attention">
          <p>
            <strong>Changes are late:</strong> the oldest has waited for its number for {changes_late_seconds}{' '}
            seconds. Webhooks wait too. Nothing is lost. Check that a worker runs.
          </p>
        </Notice>
      )}
      {webhook_endpoints.map(({ id, url, status, status_reason, failing_since }) => (
        <Notice key={id} kind="attention">
          <p>
            <strong>{status === 'parked' ? 'A webhook endpoint is parked:' : 'Deliveries fail:'}</strong>{' '}
            <Link to={`/settings/webhooks/${id}`}>{url}</Link>
            {status === 'parked' ? (
              `. ${status_reason}.`
            ) : (
              <>
                , since <Time at={failing_since} />.
              </>
            )}
          </p>
        </Notice>
      ))}
    </>
  );
}
