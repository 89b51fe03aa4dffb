import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, type Values } from '../../components/form.tsx';
import {
  AddressFields,
  addressOf,
  TaxIdFields,
  taxIdsOf,
  withoutParty,
} from '../../components/party-fields.tsx';
import { useNavigate } from '../../shell/environment.tsx';
import { useClient, useDashboard } from '../../shell/session.tsx';

/** A dialog to create a customer; then opens the customer's page. */
export function NewCustomerButton() {
  const client = useClient();
  const navigate = useNavigate();
  const { currency } = useDashboard().account;
  const create = async (values: Values) => {
    const { id } = await client.post<Customer>('/v1/customers', bodyOf(values));
    navigate(`/customers/${id}`);
  };
  return (
    <FormButton
      label="New customer"
      title="New customer"
      kind="primary"
      submit_label="Create"
      submit={create}
    >
      <Field
        name="external_id"
        label="External id"
        hint="Your own id of the customer, used in events. It cannot be changed later."
      />
      <Field name="name" label="Name" />
      <Field name="email" label="Email" />
      <Field
        name="currency"
        label="Currency"
        hint={`Three capital letters; if empty, ${currency}. It cannot be changed later.`}
      />
      <Field
        name="tax_rate"
        label="Tax rate, percent"
        hint="If empty, the tax rate of the account."
        keyboard="decimal"
      />
      <AddressFields />
      <TaxIdFields />
    </FormButton>
  );
}

function bodyOf(values: Values): object {
  const address = addressOf(values);
  return {
    ...filledIn(withoutParty(values)),
    ...(address === null ? {} : { address }),
    tax_ids: taxIdsOf(values),
  };
}
