import type { Subscription } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Field, Form, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';

type Props = {
  subscription: Subscription;
  /** That of its plan; null while it is not known. */
  currency: string | null;
  reload: () => void;
};

/** A dialog for the usage at which a subscription is billed before the end of its period. */
export function BillAtButton(props: Props) {
  return (
    <DialogButton label="Bill before the end" title="Bill before the end of the period">
      {(close) => <BillAt {...props} close={close} />}
    </DialogButton>
  );
}

function BillAt({ subscription: { id, bill_at }, currency, reload, close }: Props & { close: () => void }) {
  const client = useClient();
  const change = async ({ bill_at: typed = '' }: Values) => {
    await client.patch(`/v1/subscriptions/${id}`, { bill_at: typed.trim() === '' ? null : typed.trim() });
    close();
    reload();
  };
  return (
    <Form
      submit_label="Save"
      submit={change}
      beside={
        <button type="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <p>
        Once the usage that is not billed yet comes to this amount, it is billed at once, at most once an
        hour. The rest is billed when the period ends. Fees, items and late usage do not count.
      </p>
      <Field
        name="bill_at"
        label={currency === null ? 'Usage' : `Usage in ${currency}`}
        hint="Net. It holds from now on, for the period that is open too. If empty, only the end of the period bills."
        keyboard="decimal"
        initial={bill_at ?? ''}
      />
    </Form>
  );
}
