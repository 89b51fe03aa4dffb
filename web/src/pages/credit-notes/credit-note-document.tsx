import type { CreditNote } from '../../api/objects.ts';
import { Badge } from '../../components/badge.tsx';
import { Money, PrintedDay } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { Footer, Parties } from '../invoices/invoice-document.tsx';
import { CreditAmounts } from './credit-amounts.tsx';

/** The credit note as its customer sees it, and where its total went. */
export function CreditNoteDocument({ note }: { note: CreditNote }) {
  const { number, status, currency, lines, tax } = note;
  return (
    <article class={`document document-${status}`} aria-label={`Credit note ${number}`}>
      <Parties {...note} />
      <Facts note={note} />
      <ul class="lines">
        {lines.map(({ line_item_id, description, amount }) => (
          <li key={line_item_id}>
            <p class="line">
              <span class="line-words">{description}</span>
              <Money amount={amount} currency={currency} />
            </p>
          </li>
        ))}
      </ul>
      <CreditAmounts note={note} />
      {tax.note !== null && <p>{tax.note}.</p>}
      <Footer seller={note.seller} />
    </article>
  );
}

function Facts({ note }: { note: CreditNote }) {
  return (
    <dl class="document-facts">
      <div>
        <dt>Number</dt>
        <dd>{note.number}</dd>
      </div>
      <div>
        <dt>Status</dt>
        <dd>
          <Badge status={note.status} />
        </dd>
      </div>
      <div>
        <dt>Issued</dt>
        <dd>
          <PrintedDay at={note.issued_at} timezone={note.timezone} />
        </dd>
      </div>
      <div>
        <dt>Invoice</dt>
        <dd>
          <Link to={`/invoices/${note.invoice_id}`}>{note.invoice_number}</Link>
        </dd>
      </div>
      <div>
        <dt>Reason</dt>
        <dd>{note.reason}</dd>
      </div>
    </dl>
  );
}
