import { useState } from 'preact/hooks';
import type { PlanChangePreview, Subscription } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { Bill, Confirmation } from './preview.tsx';
import { namedTimes, TimeFields, useTime } from './time-fields.tsx';

type Props = { of: Subscription; reload: () => void };

/** A dialog that previews the last invoice and then cancels. */
export function CancelButton(props: Props) {
  return (
    <DialogButton label="Cancel subscription" title="Cancel this subscription">
      {(close) => <Cancel {...props} close={close} />}
    </DialogButton>
  );
}

function Cancel({ of: subscription, reload, close }: Props & { close: () => void }) {
  const client = useClient();
  const time = useTime('period_end');
  const [previewed, setPreviewed] = useState<{ at: string; preview: PlanChangePreview } | null>(null);
  const place = `/v1/subscriptions/${subscription.id}/cancel`;
  const preview = async (values: Values) => {
    const at = time.timeOf(values, 'at');
    setPreviewed({ at, preview: await client.post<PlanChangePreview>(place, { at, dry_run: true }) });
  };
  if (previewed !== null) {
    const { at, preview: bills } = previewed;
    const cancel = async () => {
      await client.post(place, { at });
      close();
      reload();
    };
    return (
      <Confirmation
        label="Cancel subscription"
        kind="danger"
        perform={cancel}
        back={() => setPreviewed(null)}
      >
        {bills.closing === null ? (
          <p>No invoice is created, unless invoice items are pending then.</p>
        ) : (
          <Bill of={bills.closing} title="The last invoice, as far as is known" />
        )}
        <p>
          {at === 'now'
            ? 'This cannot be undone; create a new subscription instead.'
            : 'Until the end comes, you can move it and take it back.'}
        </p>
      </Confirmation>
    );
  }
  return (
    <Form
      submit_label="Preview"
      submit={preview}
      shape={time.when}
      beside={
        <button type="button" onClick={close}>
          Close
        </button>
      }
    >
      <TimeFields
        name="at"
        label="Ends at"
        hint="Usage until then is billed; later usage is not. The end replaces one that is scheduled, and a change of plan that is scheduled later is dropped."
        options={namedTimes(subscription)}
        time={time}
      />
    </Form>
  );
}
