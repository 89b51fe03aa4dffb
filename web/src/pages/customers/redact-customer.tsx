import type { Customer } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { TextArea, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';

/** Erases the person behind a customer. The dialog says what is blanked and what stays. */
export function RedactCustomerButton({ customer, changed }: { customer: Customer; changed: () => void }) {
  const client = useClient();
  const { id, name, external_id } = customer;
  const redact = async ({ properties = '' }: Values) => {
    await client.post(`/v1/customers/${id}/redact`, { properties: linesOf(properties) });
    changed();
  };
  return (
    <FormButton
      label="Redact customer"
      title={`Redact ${name ?? external_id}?`}
      submit_label="Redact customer"
      kind="danger"
      submit={redact}
    >
      <p>
        Name, email, address, tax ids, reference and metadata are blanked, and so are payment references,
        reasons and descriptions of invoice items. The external id stays, and so do issued invoices and credit
        notes with their copy of the customer. This cannot be undone.
      </p>
      <TextArea
        name="properties"
        label="Properties of events"
        hint="One name a line, without quotation marks. They are removed from the events that are stored now; a property that a charge reads cannot be removed."
        initial=""
      />
    </FormButton>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
