import type { ComponentChildren } from 'preact';
import type { CreditNotePreview, UpcomingInvoice } from '../../api/objects.ts';
import { useAction } from '../../api/use-action.ts';
import { DocumentNumber } from '../../components/name.tsx';
import { FaultNotice } from '../../components/notice.tsx';
import { Select } from '../../components/form.tsx';
import { Money, Period } from '../../components/values.tsx';
import { BillLines } from '../invoices/invoice-lines.tsx';

type Props = {
  label: string;
  kind: 'primary' | 'danger';
  perform: () => Promise<void>;
  back: () => void;
  children: ComponentChildren;
};

/** A preview, with a button that performs it and one that leads back. */
export function Confirmation({ label, kind, perform, back, children }: Props) {
  const { state, fault, run } = useAction<void>(perform);
  return (
    <div class="stack">
      {children}
      {fault !== null && <FaultNotice fault={fault} />}
      <div class="form-buttons">
        <button type="button" class={kind} disabled={state === 'running'} onClick={() => run()}>
          {state === 'running' ? 'Please wait …' : label}
        </button>
        <button type="button" onClick={back}>
          Back
        </button>
      </div>
    </div>
  );
}

/** The credit notes that a change leads to, each with its total; an invoice may have several. */
export function Notes({ notes }: { notes: readonly CreditNotePreview[] }) {
  return (
    <>
      {notes.map((note, place) => (
        <p key={place}>
          Credited on the invoice <DocumentNumber id={note.invoice_id} />:{' '}
          <Money amount={note.total} currency={note.currency} />
        </p>
      ))}
    </>
  );
}

/** A choice of what becomes of fees in advance of time that is not used. */
export function UnusedTimeField() {
  return (
    <Select
      name="settle"
      label="Unused time of fees in advance"
      hint="Of a fee that was billed in advance, a credit note first takes off what is due."
      options={[
        { value: 'balance', label: 'goes to the balance' },
        { value: 'outside', label: 'is paid back outside of Tidemark' },
        { value: 'none', label: 'is kept' },
      ]}
    />
  );
}

/** An invoice that is to follow. */
export function Bill({ bill, title }: { bill: UpcomingInvoice; title: string }) {
  return (
    <section class="stack">
      <h3>{title}</h3>
      <p>
        <Period from={bill.period_start} to={bill.period_end} timezone={bill.timezone} />
      </p>
      <BillLines bill={bill} lines={bill.line_items} />
    </section>
  );
}
