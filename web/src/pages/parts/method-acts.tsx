import type { PaymentMethod } from '../../api/objects.ts';
import { ActionButton, QuestionButton } from '../../components/action-button.tsx';
import { useClient } from '../../shell/session.tsx';

type ActProps = { method: PaymentMethod; changed: () => void };

/** Makes a payment method the default of its customer; nothing for the one that is. */
export function MakeDefault({ method: { id, label, is_default }, changed }: ActProps) {
  const act = useMethodAct(id, changed);
  if (is_default) return null;
  return (
    <ActionButton
      label={
        <>
          Make default<span class="unseen"> {label}</span>
        </>
      }
      perform={() => act('default')}
    />
  );
}

/** Removes a payment method of a customer, after a question. */
export function RemoveMethod({ method: { id, label }, changed }: ActProps) {
  const act = useMethodAct(id, changed);
  return (
    <QuestionButton label="Remove" question={`Remove ${label}?`} perform={() => act('remove')}>
      <p>It ends here and at Stripe, for good.</p>
    </QuestionButton>
  );
}

function useMethodAct(id: string, changed: () => void): (act: 'default' | 'remove') => Promise<void> {
  const client = useClient();
  return async (act) => {
    await client.post(`/v1/payment-methods/${id}/${act}`);
    changed();
  };
}
