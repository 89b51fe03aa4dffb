import { useRoute } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import type { CreditNote } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { Definitions } from '../../components/definitions.tsx';
import { ActorName } from '../../components/name.tsx';
import { Loading } from '../../components/loading.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { DocumentDownloads } from '../parts/document-downloads.tsx';
import { ShortId } from '../../components/short-id.tsx';
import { PrintedDay, Time } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { SendButton } from '../emails/send-button.tsx';
import { ClockOfCustomer } from '../parts/clock-ahead.tsx';
import { CustomerLink } from '../parts/links.tsx';
import { CreditNoteDocument } from './credit-note-document.tsx';
import { inClosedMonth } from '../parts/closed-month.tsx';
import { useClosedMonth } from '../invoices/replaceable.ts';
import { VoidCreditNote } from './void-credit-note.tsx';
import { May } from '../../shell/session.tsx';
import { History } from '../audit-log/history.tsx';

/** Page of one credit note. */
export function CreditNotePage() {
  const id = useRoute().params['id'] ?? '';
  const loaded = useLoad<CreditNote>(`/v1/credit-notes/${encodeURIComponent(id)}`);
  const note = loaded.value;
  const closed_month = useClosedMonth(note?.status === 'issued' ? note.id : null);
  useHeadingFocus(note?.status);
  return (
    <Page
      title={note === null ? 'Credit note' : `Credit note ${note.number}`}
      actions={
        note !== null && <Actions key={id} note={note} closed_month={closed_month} changed={loaded.reload} />
      }
    >
      <Loading loaded={loaded}>
        {(loaded_note) => (
          <div class="stack" key={loaded_note.id}>
            <VoidNotice note={loaded_note} />
            <ClockOfCustomer id={loaded_note.customer_id} />
            <CreditNoteDocument note={loaded_note} />
            <Section title="Record">
              <Particulars note={loaded_note} closed_month={closed_month} />
            </Section>
            <History key={loaded_note.status} filter={{ object_id: loaded_note.id }} />
          </div>
        )}
      </Loading>
    </Page>
  );
}

/** A void removes the button that had the focus: it goes on at the heading. */
function useHeadingFocus(status: CreditNote['status'] | undefined): void {
  const before = useRef(status);
  useEffect(() => {
    if (before.current === 'issued' && status === 'void') document.querySelector<HTMLElement>('h1')?.focus();
    before.current = status;
  }, [status]);
}

/** `closed_month` keeps the note from being voided; null for none, undefined while it is not known. */
type NoteProps = { note: CreditNote; closed_month: string | null | undefined };

function Actions({ note, closed_month, changed }: NoteProps & { changed: () => void }) {
  const is_voidable = note.status === 'issued' && !note.automatic;
  return (
    <>
      {is_voidable && closed_month === null && (
        <May use="voidCreditNote">
          <VoidCreditNote note={note} changed={changed} />
        </May>
      )}
      {note.status === 'issued' && (
        <May use="sendCreditNote">
          <SendButton
            title={`Send ${note.number}?`}
            path={`/v1/credit-notes/${note.id}/send`}
            sent={changed}
          />
        </May>
      )}
      <DocumentDownloads
        path={`/v1/credit-notes/${note.id}`}
        name={note.number}
        customer_id={note.customer_id}
        has_e_invoice={note.status === 'issued'}
      />
    </>
  );
}

function VoidNotice({ note: { status, voided_at, void_reason, timezone } }: { note: CreditNote }) {
  if (status !== 'void') return null;
  return (
    <Notice kind="attention">
      <p>
        <strong>This credit note is void and has no effect.</strong> Since{' '}
        <PrintedDay at={voided_at} timezone={timezone} />
        {void_reason === null ? '.' : ': '}
        {void_reason !== null && <q>{void_reason}</q>}
      </p>
    </Notice>
  );
}

function Particulars({ note, closed_month }: NoteProps) {
  const { id, customer_id, customer, invoice_id, invoice_number, timezone, created_by, voided_by } = note;
  return (
    <Definitions
      entries={[
        ['Id', <ShortId id={id} what="the credit note’s id" />],
        ['Invoice', <Link to={`/invoices/${invoice_id}`}>{invoice_number}</Link>],
        ['Customer', <CustomerLink id={customer_id} name={customer.name} />],
        ['Issued', <PrintedDay at={note.issued_at} timezone={timezone} />],
        [
          'Issued by',
          created_by === null ? 'Tidemark: it is void with its invoice' : <ActorName id={created_by} />,
        ],
        ['Sent', note.sent_at && <Time at={note.sent_at} />],
        ['Voided', <PrintedDay at={note.voided_at} timezone={timezone} />],
        ['Voided by', voided_by && <ActorName id={voided_by} />],
        ...inClosedMonth('credit_note', closed_month ?? null),
      ]}
    />
  );
}
