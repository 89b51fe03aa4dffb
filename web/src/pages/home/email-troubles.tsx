import type { Home } from '../../api/objects.ts';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';

/** Says that no email leaves, or that some did not arrive; nothing where all is well. */
export function EmailTroubles({ emails: { stopped, undelivered } }: Pick<Home, 'emails'>) {
  if (stopped === null && undelivered === 0) return null;
  return (
    <Notice kind="attention">
      {stopped !== null && (
        <p>
          <strong>No email leaves.</strong> Since <Time at={stopped.refused_at} /> the mail server refuses the
          login: <q>{stopped.refusal}</q>
        </p>
      )}
      {undelivered > 0 && (
        <p>
          <strong>Emails of the last four days that did not arrive: {undelivered}.</strong>{' '}
          <Link to="/emails?status=refused">Refused</Link>, <Link to="/emails?status=failed">failed</Link>
        </p>
      )}
    </Notice>
  );
}
