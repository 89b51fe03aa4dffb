import { useRoute } from 'preact-iso/router';
import type { Email } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { usePolling } from '../../api/use-polling.ts';
import { Badge } from '../../components/badge.tsx';
import { Definitions } from '../../components/definitions.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { grouped } from '../../components/grouped.ts';
import { Loading } from '../../components/loading.tsx';
import { ActorName } from '../../components/name.tsx';
import { Page, Section } from '../../components/page.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { Table } from '../../components/table.tsx';
import { Code, Quantity, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { History } from '../audit-log/history.tsx';
import { CreditNoteLink, CustomerLink, InvoiceLink } from '../parts/links.tsx';
import { EmailActions } from './email-actions.tsx';
import { KINDS, LANGUAGES, reasonOf } from './words.ts';

const POLLING_MS = 5000;

/** An email as its receiver reads it, with its fate. */
export function EmailPage() {
  const { id = '' } = useRoute().params;
  const path = `/v1/emails/${encodeURIComponent(id)}`;
  const loaded = useLoad<Email>(path);
  usePolling(loaded, POLLING_MS, loaded.value?.status === 'queued');
  const email = loaded.value;
  return (
    <Page
      title="Email"
      actions={
        email !== null && (
          <>
            <EmailActions email={email} changed={loaded.reload} />
            <DownloadButton label="Save as a file" path={`${path}.eml`} name={`${id}.eml`} />
          </>
        )
      }
    >
      <Loading loaded={loaded}>
        {(loaded_email) => (
          <div class="stack">
            <Fate email={loaded_email} />
            <Message email={loaded_email} />
            <Addresses email={loaded_email} />
            <Section title="Record">
              <Particulars email={loaded_email} />
            </Section>
            <History key={loaded_email.status} filter={{ object_id: loaded_email.id }} />
          </div>
        )}
      </Loading>
    </Page>
  );
}

type Props = { email: Email };

function Fate({ email }: Props) {
  const { status, send_at, sent_at, attempts, next_attempt_at } = email;
  return (
    <Definitions
      entries={[
        ['Status', <Badge status={status} />],
        ['Reason', reasonOf(email)],
        ['Sent', sent_at && <Time at={sent_at} />],
        ['Not before', status === 'queued' ? <Time at={send_at} /> : null],
        ['Next try', next_attempt_at && <Time at={next_attempt_at} />],
        ['Tries', <Quantity value={attempts} />],
      ]}
    />
  );
}

/** The subject and the text, line by line, and the files. The link has no token here: it is kept nowhere. */
function Message({ email: { subject, text, attachments } }: Props) {
  if (text === null)
    return (
      <Section title="Message">
        <p class="faint">There is no text: it was erased, or its document can no longer be read.</p>
      </Section>
    );
  return (
    <Section title={subject ?? 'Message'}>
      <pre class="body sent" tabIndex={0} aria-label="Text">
        {text}
      </pre>
      {attachments.length > 0 && (
        <ul>
          {attachments.map(({ filename, bytes, error }) => (
            <li key={filename}>
              {filename}
              {bytes !== null && <span class="faint"> {grouped(`${bytes}`)} bytes</span>}
              {error !== null && <span class="faint"> left out: {error}</span>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Addresses of an email with the answers of the mail server. Of one that does not leave, no address waits. */
function Addresses({ email: { to, status: fate } }: Props) {
  if (to.length === 0) return null;
  const leaves = fate !== 'kept' && fate !== 'canceled';
  return (
    <Section title="To">
      <Table
        caption="Addresses of the email"
        items={to.map((recipient, place) => ({ ...recipient, place }))}
        keyOf={({ place }) => `${place}`}
        columns={[
          { title: 'Address', show: ({ address }) => address ?? <span class="faint">erased</span> },
          {
            title: 'Status',
            show: ({ status }) => (leaves ? <Badge status={status} /> : <span class="faint">–</span>),
          },
          { title: 'Answer', show: ({ response }) => response ?? <span class="faint">–</span> },
        ]}
      />
    </Section>
  );
}

function Particulars({ email }: Props) {
  const { id, kind, customer_id, language, message_id, resend_of, created_by, created_at } = email;
  return (
    <Definitions
      entries={[
        ['Kind', KINDS[kind]],
        ['Document', <DocumentOf email={email} />],
        ['Customer', <CustomerLink id={customer_id} />],
        ['Language', LANGUAGES[language]],
        ['Written', <Time at={created_at} />],
        ['Sent by', created_by === null ? 'Tidemark' : <ActorName id={created_by} />],
        ['Sent again after', resend_of && <Link to={`/emails/${resend_of}`}>the first one</Link>],
        ['Message-ID', message_id && <Code>{message_id}</Code>],
        ['Id', <ShortId id={id} what="the email’s id" />],
      ]}
    />
  );
}

/** Invoices of a reminder that are linked. */
const LINKS_MAX = 10;

function DocumentOf({ email: { kind, object_id, invoice_ids } }: Props) {
  if (kind === 'credit_note') return <CreditNoteLink id={object_id} />;
  if (invoice_ids.length === 0) return <>a payment in advance</>;
  const left = invoice_ids.length - LINKS_MAX;
  return (
    <>
      {kind === 'receipt' && 'a payment of '}
      {invoice_ids.slice(0, LINKS_MAX).map((id, place) => (
        <span key={id}>
          {place > 0 && ', '}
          <InvoiceLink id={id} />
        </span>
      ))}
      {left > 0 && ` and ${left} more`}
    </>
  );
}
