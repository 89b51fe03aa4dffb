import { useRef, useState } from 'preact/hooks';
import { isAbove } from '../../../../src/domain/money/figures.ts';
import { faultAt } from '../../api/fault.ts';
import type { CreditNote, CreditNotePreview } from '../../api/objects.ts';
import { useQuery } from '../../api/use-pages.ts';
import { ActionButton } from '../../components/action-button.tsx';
import { Field, Form, Select, type Values } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { grouped } from '../../components/grouped.ts';
import { Link, useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { CreditAmounts } from './credit-amounts.tsx';
import { CreditLines } from './credit-lines.tsx';
import type { Amounts, Creditable } from './creditable.ts';

const SETTLEMENTS = [
  { value: 'balance', label: 'To the customer’s balance' },
  { value: 'outside', label: 'Paid back outside' },
];

/** Offered where the payment provider has charged the invoice. */
const REFUNDED = { value: 'refund', label: 'Refunded by the payment provider' };

type CreditRequest = { lines: object[] | 'all'; reason?: string; settle: string; refund?: true };
/** The request of a preview, and the API's response. Only this request can be issued. */
type Previewed = { request: CreditRequest; preview: CreditNotePreview };

/**
 * Form for the amounts to credit of an invoice, and a preview from which the credit note is issued. A change discards
 * the preview.
 */
export function CreditForm({ creditable }: { creditable: Creditable }) {
  const { invoice } = creditable;
  const client = useClient();
  const [{ all }] = useQuery();
  const [amounts, setAmounts] = useState<Amounts>(all === undefined ? {} : 'all');
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  const path = `/v1/invoices/${invoice.id}/credit-notes`;
  const ids = creditedIds(creditable, amounts);
  const edits = useRef(0);
  const edited = () => {
    edits.current++;
    setPreviewed(null);
  };
  const change = (changed: Amounts) => {
    setAmounts(changed);
    edited();
  };
  const preview = async (values: Values) => {
    const request = requestOf(ids, amounts, values);
    const edits_before = edits.current;
    const answer = await client.post<CreditNotePreview>(path, { ...request, dry_run: true });
    // The fields may have changed while the API answered.
    if (edits.current === edits_before) setPreviewed({ request, preview: answer });
  };
  return (
    <>
      <div class="wide-form" onInput={edited}>
        <Form
          submit_label="Preview"
          submit={preview}
          shape={amounts === 'all' ? amounts : ids.join(' ')}
          done_label={previewed === null ? '' : 'The preview is below.'}
          beside={
            <Link to={`/invoices/${invoice.id}`} is_button>
              Cancel
            </Link>
          }
        >
          <p>A credit note takes back money only: usage that is corrected later comes off as well.</p>
          <CreditLines creditable={creditable} ids={ids} amounts={amounts} change={change} />
          <Field name="reason" label="Reason" hint="Printed on the credit note." />
          <Select
            name="settle"
            label="Where an excess goes"
            hint={`The excess is what exceeds the ${grouped(invoice.amount_due)} ${invoice.currency} that are due now.`}
            options={isCharged(invoice) ? [...SETTLEMENTS, REFUNDED] : SETTLEMENTS}
          />
        </Form>
      </div>
      {previewed !== null && <Issue path={path} {...previewed} />}
    </>
  );
}

/** Ids of the lines with an amount, in the order in which they are sent. */
function creditedIds({ lines }: Creditable, amounts: Amounts): string[] {
  if (amounts === 'all') return [];
  return lines.map(({ line }) => line.id).filter((id) => (amounts[id] ?? '').trim() !== '');
}

function requestOf(ids: readonly string[], amounts: Amounts, values: Values): CreditRequest {
  const { reason = '', settle = 'balance' } = values;
  const credited = { lines: linesOf(ids, amounts), ...(reason.trim() !== '' && { reason }) };
  return settle === REFUNDED.value
    ? { ...credited, settle: 'outside', refund: true }
    : { ...credited, settle };
}

/** Whether the payment provider has money of the invoice that it can give back. */
function isCharged({ payments }: Creditable['invoice']): boolean {
  return payments.some(({ refundable }) => isAbove(refundable, '0'));
}

function linesOf(ids: readonly string[], amounts: Amounts): CreditRequest['lines'] {
  if (amounts === 'all') return amounts;
  if (ids.length === 0)
    throw faultAt('lines', 'missing', 'Enter an amount for at least one line item, or credit all.');
  return ids.map((line_item_id) => ({ line_item_id, amount: amounts[line_item_id]!.trim() }));
}

function Issue({ path, request, preview }: Previewed & { path: string }) {
  const client = useClient();
  const navigate = useNavigate();
  const issue = async () => {
    const { id } = await client.post<CreditNote>(path, request);
    navigate(`/credit-notes/${id}`);
  };
  return (
    <Section title="Preview">
      <div class="stack narrow">
        <CreditAmounts note={preview} />
        <p>
          The credit note gets a number and can no longer change. One that was issued by mistake can be
          voided.
        </p>
        <ActionButton label="Issue credit note" kind="primary" perform={issue} done_label="" />
      </div>
    </Section>
  );
}
