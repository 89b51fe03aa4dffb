import { useState } from 'preact/hooks';
import type { Customer } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Form, Select, trimmed, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { SubscriptionField } from '../choices/subscription-field.tsx';
import { sentNames } from '../plans/grant-draft.ts';

type NewDiscountProps = { customer: Customer; timezone: string; changed: () => void };

/** A dialog that takes a percent or an amount off; days begin in `timezone`, the customer's. */
export function NewDiscount(props: NewDiscountProps) {
  return (
    <DialogButton label="New discount" title="New discount">
      {(close) => <Create {...props} close={close} />}
    </DialogButton>
  );
}

const KINDS = [
  { value: 'percent', label: 'a percent of each line' },
  { value: 'amount', label: 'an amount, each billing period' },
];

function Create({ customer, timezone, changed, close }: NewDiscountProps & { close: () => void }) {
  const client = useClient();
  const [kind, setKind] = useState('percent');
  const create = async (values: Values) => {
    await client.post('/v1/discounts', requestOf(customer, values));
    close();
    changed();
  };
  const cancel = (
    <button type="button" onClick={close}>
      Cancel
    </button>
  );
  return (
    <Form submit_label="Create discount" submit={create} shape={kind} beside={cancel}>
      <p>
        It holds for all of each billing period that begins before its end and ends after its start. What is
        issued stays; a draft that is held shows it at once.
      </p>
      <Field name="name" label="Name" hint="Printed on the invoice." />
      <Select name="kind" label="Takes off" options={KINDS} value={kind} change={setKind} />
      {kind === 'percent' ? <PercentFields /> : <AmountField currency={customer.currency} />}
      <SubscriptionField
        label="Only for the subscription"
        hint={`If empty, all of the customer, later ones too${kind === 'amount' ? ': the amount comes off each' : ''}.`}
        customer_id={customer.id}
      />
      <Days timezone={timezone} />
    </Form>
  );
}

function PercentFields() {
  return (
    <>
      <Field
        name="percent"
        label="Percent"
        hint="Above 0, at most 100, with at most 4 decimals."
        keyboard="decimal"
      />
      <Field
        name="event_names"
        label="Only for the events"
        hint="Names with commas between them, those of fees too; if empty, all charges."
      />
    </>
  );
}

function AmountField({ currency }: { currency: string }) {
  return (
    <Field
      name="amount"
      label={`Amount in ${currency}`}
      hint="Net. At most what the fees and the usage of the period come to; a part of it for a shorter period."
      keyboard="decimal"
    />
  );
}

function Days({ timezone }: { timezone: string }) {
  return (
    <>
      <Field
        name="from"
        label="From"
        type="date"
        hint={`The beginning of this day in ${timezone}, also in the past; if empty, now.`}
      />
      <Field
        name="until"
        label="Until"
        type="date"
        hint={`The beginning of this day in ${timezone}; if empty, it has no end.`}
      />
    </>
  );
}

/** The body of the request. The percent or the amount goes as it was typed, so that its fault is at its field. */
function requestOf(customer: Customer, { kind = 'percent', event_names = '', ...values }: Values) {
  const reduction = { [kind]: (values[kind] ?? '').trim() };
  const names = kind === 'percent' ? { event_names: sentNames(event_names) } : {};
  return { customer_id: customer.id, ...names, ...trimmed(filledIn(values)), ...reduction };
}
