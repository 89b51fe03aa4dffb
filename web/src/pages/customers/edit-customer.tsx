import { faultAt } from '../../api/fault.ts';
import { isJsonObject, mergePatchOf, type JsonObject } from '../../api/merge-patch.ts';
import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, TextArea, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';

type EditProps = { customer: Customer; changed: () => void };

/** A dialog to edit a customer. */
export function EditCustomerButton({ customer, changed }: EditProps) {
  const client = useClient();
  const { id, name, email, tax_rate, metadata } = customer;
  const save = async (values: Values) => {
    await client.patch(`/v1/customers/${id}`, patchOf(customer, values));
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
      <TextArea
        name="metadata"
        label="Metadata"
        hint="A JSON object."
        initial={JSON.stringify(metadata, null, 2)}
      />
    </FormButton>
  );
}

const TEXT_FIELDS = ['name', 'email', 'tax_rate'] as const;

/** Only the changed fields, so that a tax rate inherited from the account stays inherited. */
function patchOf(customer: Customer, values: Values): object {
  const changed = TEXT_FIELDS.filter((field) => (customer[field] ?? '') !== (values[field] ?? ''));
  const texts = Object.fromEntries(changed.map((field) => [field, values[field] || null]));
  return { ...texts, metadata: mergePatchOf(customer.metadata, objectOf(values['metadata'] ?? '')) };
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
