import type { Customer } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { useNavigate } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';

/** Deletes a customer, then opens the list. The API refuses to delete one that is in use, and the dialog says why. */
export function DeleteCustomerButton({ customer: { id, name, external_id } }: { customer: Customer }) {
  const client = useClient();
  const navigate = useNavigate();
  const remove = async () => {
    await client.delete(`/v1/customers/${id}`);
    navigate('/customers');
  };
  return (
    <QuestionButton
      label="Delete customer"
      question={`Delete ${name ?? external_id}?`}
      perform={remove}
      done_label=""
    >
      <p>
        Only a customer without subscriptions, events, credit grants, invoices, invoice items and balance
        entries can be deleted. This cannot be undone. The external id can be used again.
      </p>
    </QuestionButton>
  );
}
