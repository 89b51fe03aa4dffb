import { useState } from 'preact/hooks';
import type { PlanChangePreview, Subscription } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { Bill, Confirmation, Notes, UnusedTimeField } from './preview.tsx';
import { namedTimes, TimeFields, useTime } from './time-fields.tsx';

type Props = { subscription: Subscription; reload: () => void };
type Preview = { request: { at: string; settle: string | undefined }; preview: PlanChangePreview };

/** A dialog that previews the last invoice and then cancels. */
export function CancelButton(props: Props) {
  return (
    <DialogButton label="Cancel subscription" title="Cancel this subscription">
      {(close) => <Cancel {...props} close={close} />}
    </DialogButton>
  );
}

function Cancel({ subscription, reload, close }: Props & { close: () => void }) {
  const client = useClient();
  const time = useTime('period_end');
  const [previewed, setPreviewed] = useState<Preview | null>(null);
  const place = `/v1/subscriptions/${subscription.id}/cancel`;
  const preview = async (values: Values) => {
    const request = { at: time.timeOf(values, 'at'), settle: values['settle'] };
    setPreviewed({
      request,
      preview: await client.post<PlanChangePreview>(place, { ...request, dry_run: true }),
    });
  };
  if (previewed !== null) {
    const cancel = async () => {
      await client.post(place, previewed.request);
      close();
      reload();
    };
    return <Previewed {...previewed} cancel={cancel} back={() => setPreviewed(null)} />;
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
        hint="Usage until then is billed; later usage is not. Up to 366 days back: what was billed after the end is credited. The end replaces one that is scheduled, and a change of plan after it is dropped."
        options={namedTimes(subscription)}
        time={time}
      />
      <UnusedTimeField />
    </Form>
  );
}

function Previewed({
  request,
  preview,
  cancel,
  back,
}: Preview & { cancel: () => Promise<void>; back: () => void }) {
  return (
    <Confirmation label="Cancel subscription" kind="danger" perform={cancel} back={back}>
      {preview.closing === null ? (
        <p>No invoice is created, unless invoice items are pending then.</p>
      ) : (
        <Bill bill={preview.closing} title="The last invoice, as far as is known" />
      )}
      <Notes notes={preview.credit_notes} />
      <p>
        {request.at === 'now'
          ? 'This cannot be undone; create a new subscription instead.'
          : 'Until the end comes, you can move it and take it back; an end in the past cannot be undone.'}
      </p>
    </Confirmation>
  );
}
