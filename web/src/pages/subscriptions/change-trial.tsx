import type { Subscription } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { TimeFields, useTime } from './time-fields.tsx';

type Props = { subscription: Subscription; reload: () => void };

/** A dialog that extends, shortens, adds or ends a trial. */
export function ChangeTrialButton(props: Props) {
  return (
    <DialogButton label="Change trial" title="Change the trial of this subscription">
      {(close) => <ChangeTrial {...props} close={close} />}
    </DialogButton>
  );
}

function ChangeTrial({ subscription: { id, status }, reload, close }: Props & { close: () => void }) {
  const client = useClient();
  const time = useTime('day');
  const change = async (values: Values) => {
    await client.post(`/v1/subscriptions/${id}/trial`, { ends_at: time.timeOf(values, 'ends_at') });
    close();
    reload();
  };
  return (
    <Form
      submit_label="Change trial"
      submit={change}
      shape={time.when}
      beside={
        <button type="button" onClick={close}>
          Cancel
        </button>
      }
    >
      <TimeFields
        name="ends_at"
        label="The trial ends"
        hint="The first billing period begins there. A cancellation and a change of plan that are scheduled stay as they are."
        options={status === 'trialing' ? [{ value: 'now', label: 'now' }] : []}
        time={time}
      />
    </Form>
  );
}
