import type { CreditNote } from '../../api/objects.ts';
import { usePagesWithin } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loading } from '../../components/loading.tsx';
import { Section } from '../../components/page.tsx';
import { PageButtons } from '../../components/table.tsx';
import { Money, PrintedDay } from '../../components/values.tsx';
import { CreditNoteDocument } from '../credit-notes/credit-note-document.tsx';
import { Downloads, PdfButton } from './downloads.tsx';

/** The credit notes of the payer, newest first; nothing for a payer without one. */
export function CreditNotes() {
  const pages = usePagesWithin<CreditNote>('/v1/credit-notes', { limit: '12' });
  if (pages.loaded.value?.data.length === 0 && pages.newer === null) return null;
  return (
    <Section title="Credit notes">
      <Loading loaded={pages.loaded}>
        {({ data }) => (
          <>
            <ul class="lines">
              {data.map((note) => (
                <li key={note.id} class="with-file">
                  <Disclosure summary={<Summary note={note} />}>
                    <div class="stack">
                      <Downloads
                        path={`/v1/credit-notes/${note.id}`}
                        name={note.number}
                        has_e_invoice={note.status !== 'void'}
                      />
                      <CreditNoteDocument note={note} />
                    </div>
                  </Disclosure>
                  <PdfButton path={`/v1/credit-notes/${note.id}`} name={note.number} />
                </li>
              ))}
            </ul>
            <PageButtons pages={pages} caption="Credit notes, newest first" />
          </>
        )}
      </Loading>
    </Section>
  );
}

function Summary({ note: { number, status, issued_at, timezone, total, currency } }: { note: CreditNote }) {
  return (
    <span class="line">
      <span class="line-words">
        <strong>{number}</strong> <Badge status={status} />{' '}
        <span class="faint">
          <PrintedDay at={issued_at} timezone={timezone} />
        </span>
      </span>
      <Money amount={total} currency={currency} />
    </span>
  );
}
