import type { ComponentChildren } from 'preact';
import type { UpcomingInvoice } from '../../api/objects.ts';
import { useAction } from '../../api/use-action.ts';
import { FaultNotice } from '../../components/notice.tsx';
import { Period } from '../../components/values.tsx';
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

/** An invoice that is to follow. */
export function Bill({ of: bill, title }: { of: UpcomingInvoice; title: string }) {
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
