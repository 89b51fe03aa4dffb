import { atList, faultAt } from '../../api/fault.ts';
import { isJsonObject, mergePatchOf, type JsonObject } from '../../api/merge-patch.ts';
import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, Labelled, Select, TextArea, wholeNumberOf, type Values } from '../../components/form.tsx';
import { AddressFields, addressOf, TaxIdFields, taxIdsOf } from '../../components/party-fields.tsx';
import { useClient } from '../../shell/session.tsx';
import { ownDaysIn, ownDaysText } from '../emails/reminder-days.ts';
import { addressesIn, LANGUAGES, optionsOf } from '../emails/words.ts';
import { CHARGE_MODES } from '../invoices/charge-words.ts';

type EditProps = { customer: Customer; changed: () => void };

/** A dialog to edit a customer. */
export function EditCustomerButton({ customer, changed }: EditProps) {
  const client = useClient();
  const { id, name, email, tax_rate, tax_treatment, buyer_reference, timezone, net_days, metadata } =
    customer;
  const save = async (values: Values) => {
    await client.patch(`/v1/customers/${id}`, patchOf(customer, values)).catch((error: unknown) => {
      throw atList(atList(error, 'billing_emails'), 'reminder_days', 'Day');
    });
    changed();
  };
  return (
    <FormButton label="Edit" title={`Edit ${name ?? customer.external_id}`} submit_label="Save" submit={save}>
      <Field name="name" label="Name" initial={name ?? ''} />
      <Field name="email" label="Email" initial={email ?? ''} />
      <Field
        name="tax_rate"
        label="Tax rate, percent"
        hint="If empty, the tax rate of the account. Issued invoices keep their tax rate."
        keyboard="decimal"
        initial={tax_rate}
      />
      <Select
        name="tax_treatment"
        label="Tax treatment"
        hint="An exempt customer and one with reverse charge pay no tax; the invoice says why."
        options={Object.entries(TREATMENTS).map(([value, label]) => ({ value, label }))}
        value={tax_treatment}
      />
      <AddressFields initial={customer.address} />
      <TaxIdFields initial={customer.tax_ids} />
      <Field
        name="buyer_reference"
        label="Reference of the customer"
        hint="What the customer wants to read on its invoices, such as the number of a purchase order."
        initial={buyer_reference ?? ''}
      />
      <Field
        name="timezone"
        label="Time zone"
        hint="If empty, the time zone of the account. Subscriptions keep the zone that they began with."
        initial={timezone ?? ''}
      />
      <Field
        name="net_days"
        label="Days until payment is due"
        hint="If empty, those of the account."
        keyboard="numeric"
        initial={net_days === null ? '' : `${net_days}`}
      />
      <EmailFields customer={customer} />
      <ChargeModeField customer={customer} />
      <TextArea
        name="metadata"
        label="Metadata"
        hint="A JSON object."
        initial={JSON.stringify(metadata, null, 2)}
      />
    </FormButton>
  );
}

function ChargeModeField({ customer: { charge_mode } }: Pick<EditProps, 'customer'>) {
  return (
    <Select
      name="charge_mode"
      label="Invoices are charged"
      options={[{ value: '', label: 'As the account says' }, ...optionsOf(CHARGE_MODES)]}
      value={charge_mode ?? ''}
    />
  );
}

function EmailFields({ customer }: Pick<EditProps, 'customer'>) {
  const { billing_emails, email_muted, language, reminder_days } = customer;
  return (
    <>
      <TextArea
        name="billing_emails"
        label="Emails go to"
        hint="At most ten addresses, one in each line; if empty, to the email above."
        initial={billing_emails.join('\n')}
      />
      <Labelled name="email_muted" label="Only what a person sends" hint="No email goes there by itself.">
        {(control) => (
          <input type="checkbox" class="check" value="true" defaultChecked={email_muted} {...control} />
        )}
      </Labelled>
      <Select
        name="language"
        label="Language of emails"
        options={[{ value: '', label: 'That of the account' }, ...optionsOf(LANGUAGES)]}
        value={language ?? ''}
      />
      <Field
        name="reminder_days"
        label="Reminders on the days"
        hint="Whole days from the due date, such as -3, 1, 7; if empty, those of the account; none: no reminders."
        initial={ownDaysText(reminder_days)}
      />
    </>
  );
}

export const TREATMENTS: Readonly<Record<Customer['tax_treatment'], string>> = {
  standard: 'Taxed',
  exempt: 'Exempt from tax',
  reverse_charge: 'Reverse charge',
};

const TEXT_FIELDS = [
  'name',
  'email',
  'tax_rate',
  'tax_treatment',
  'buyer_reference',
  'timezone',
  'language',
  'charge_mode',
] as const;

/** The patch of the changed fields only, so that a tax rate inherited from the account stays inherited. */
function patchOf(customer: Customer, values: Values): object {
  const changed = TEXT_FIELDS.filter((field) => (customer[field] ?? '') !== (values[field] ?? ''));
  const texts = Object.fromEntries(changed.map((field) => [field, values[field] || null]));
  const net_days = values['net_days']?.trim() ?? '';
  return {
    ...texts,
    billing_emails: addressesIn(values['billing_emails']),
    email_muted: values['email_muted'] !== undefined,
    reminder_days: ownDaysIn(values['reminder_days']),
    address: addressOf(values),
    tax_ids: taxIdsOf(values),
    net_days: net_days === '' ? null : wholeNumberOf(net_days),
    metadata: mergePatchOf(customer.metadata, objectOf(values['metadata'] ?? '')),
  };
}

function objectOf(text: string): JsonObject {
  const value = parsed(text.trim() || '{}');
  if (isJsonObject(value)) return value;
  throw faultAt('metadata', 'wrong_type', 'metadata must be a JSON object, such as {"region": "eu"}');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
