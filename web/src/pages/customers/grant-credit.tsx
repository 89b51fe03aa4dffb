import { useState } from 'preact/hooks';
import { faultAt } from '../../api/fault.ts';
import type { CreditGrantPreview, Customer } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { dayInWords } from '../../components/instant.ts';
import { Field, filledIn, Form, Select, type Values } from '../../components/form.tsx';
import { Quantity } from '../../components/values.tsx';
import { useClient } from '../../shell/session.tsx';
import { SubscriptionField } from '../choices/subscription-field.tsx';
import { sentNames } from '../plans/grant-draft.ts';
import { Confirmation } from '../subscriptions/preview.tsx';

const PATH = '/v1/credit-grants';
const ROLLOVER = [
  { value: 'no', label: 'No: expires with the billing period' },
  { value: 'yes', label: 'Yes: stays valid after the billing period' },
];

type GrantProps = { customer: Customer; changed: () => void };

/** A dialog that shows on which day a grant of credit would end, and then grants it. */
export function GrantButton(props: GrantProps) {
  return (
    <DialogButton label="Grant credit" title="Grant credit">
      {(close) => <Grant {...props} close={close} />}
    </DialogButton>
  );
}

function Grant({ customer, changed, close }: GrantProps & { close: () => void }) {
  const client = useClient();
  const [values, setValues] = useState<Values>({});
  const [preview, setPreview] = useState<CreditGrantPreview | null>(null);
  if (preview !== null) {
    const grant = async () => {
      await client.post(PATH, requestOf(customer, values));
      close();
      changed();
    };
    return (
      <Confirmation label="Grant" kind="primary" perform={grant} back={() => setPreview(null)}>
        <Ending preview={preview} days={values['expires_in_days'] ?? ''} />
      </Confirmation>
    );
  }
  const show = async (entered: Values) => {
    const request = { ...requestOf(customer, entered), dry_run: true };
    const previewed = await client.post<CreditGrantPreview>(PATH, request);
    setValues(entered);
    setPreview(previewed);
  };
  const cancel = (
    <button type="button" onClick={close}>
      Cancel
    </button>
  );
  return (
    <Form submit_label="Preview" submit={show} beside={cancel}>
      <GrantFields customer={customer} values={values} />
    </Form>
  );
}

/** "1,000 units, ends 30 April 2027", and why, where days were asked for and do not count. */
function Ending({ preview, days }: { preview: CreditGrantPreview; days: string }) {
  const { amount, last_day, timezone, rollover } = preview;
  return (
    <>
      <p>
        <Quantity value={amount} /> units of usage,{' '}
        {last_day === null ? (
          <strong>
            {rollover ? 'without an end' : 'until the end of a billing period that is yet to begin'}
          </strong>
        ) : (
          <>
            <strong>ends {dayInWords(last_day)}</strong> <span class="unit">{timezone}</span>
          </>
        )}
        .
      </p>
      {!rollover && days.trim() !== '' && (
        <p>
          Without <i>Rolls over</i> it ends after {days.trim()} days or with the billing period, whichever
          comes first.
        </p>
      )}
    </>
  );
}

function GrantFields({ customer, values }: { customer: Customer; values: Values }) {
  return (
    <>
      <Field
        name="amount"
        label="Units of usage"
        hint="Events, or the unit that the charges count; at most 6 decimals."
        keyboard="decimal"
        initial={values['amount']}
      />
      <Field
        name="expires_in_days"
        label="Expires after days"
        hint="1 to 3650 days. If empty, the grant expires with the billing period, or never if it rolls over."
        keyboard="numeric"
        initial={values['expires_in_days']}
      />
      <Select name="rollover" label="Rolls over" options={ROLLOVER} value={values['rollover'] ?? 'no'} />
      <Field
        name="event_names"
        label="Only for the events"
        hint="Names with commas between them; if empty, all."
        initial={values['event_names']}
      />
      <SubscriptionField
        label="Only for the subscription"
        hint="If empty, all of the customer."
        customer_id={customer.id}
        initial={values['subscription_id']}
      />
      <Field name="note" label="Note" hint="For people; erased with the customer." initial={values['note']} />
    </>
  );
}

/** The body of the request. Throws a Fault at a field that is no number. */
function requestOf(customer: Customer, values: Values) {
  const { amount = '', expires_in_days = '', rollover, event_names = '' } = values;
  const { subscription_id = '', note = '' } = values;
  return {
    customer_id: customer.id,
    amount: numberOf('amount', amount),
    ...(expires_in_days.trim() && { expires_in_days: numberOf('expires_in_days', expires_in_days) }),
    rollover: rollover === 'yes',
    event_names: sentNames(event_names),
    ...filledIn({ subscription_id, note }),
  };
}

/** The API takes these two fields as JSON numbers: refuse a text that a number does not represent exactly. */
function numberOf(param: string, text: string): number {
  const typed = text.trim();
  const number = Number(typed);
  if (/^\d+(\.\d+)?$/.test(typed) && String(number) === canonical(typed)) return number;
  const message = `${param} must be a number without a sign, such as 1000 or 12.5, with at most 15 digits`;
  throw faultAt(param, 'wrong_type', message);
}

const canonical = (typed: string) =>
  typed
    .replace(/^0+(?=\d)/, '')
    .replace(/(\.\d*?)0+$/, '$1')
    .replace(/\.$/, '');
