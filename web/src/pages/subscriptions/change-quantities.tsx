import { useState } from 'preact/hooks';
import { faultAt } from '../../api/fault.ts';
import type { Plan, QuantityChangePreview, Subscription } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, Select, type Values } from '../../components/form.tsx';
import { useClient } from '../../shell/session.tsx';
import { Bill, Confirmation, Notes } from './preview.tsx';
import { differing, QuantityFields, quantitiesIn } from './quantity-fields.tsx';
import { namedTimes, TimeFields, useTime } from './time-fields.tsx';

type Props = { subscription: Subscription; plan: Plan; reload: () => void };
type Request = {
  quantities: Record<string, string>;
  at: string;
  settle: string | undefined;
  bill: string | undefined;
};
type Previewed = { request: Request; preview: QuantityChangePreview };

/** A dialog that previews other quantities of a subscription, and then changes them. */
export function ChangeQuantitiesButton(props: Props) {
  return (
    <DialogButton label="Change quantity" title="Change the quantity">
      {(close) => <Change {...props} close={close} />}
    </DialogButton>
  );
}

function Change({ subscription, plan, reload, close }: Props & { close: () => void }) {
  const client = useClient();
  const time = useTime('now');
  const [previewed, setPreviewed] = useState<Previewed | null>(null);
  const place = `/v1/subscriptions/${subscription.id}/quantities`;
  const preview = async (values: Values) => {
    const request = requestOf(subscription, values, time.timeOf(values, 'at'));
    setPreviewed({ request, preview: await client.post(place, { ...request, dry_run: true }) });
  };
  const change = async () => {
    await client.post(place, previewed?.request);
    close();
    reload();
  };
  return (
    <>
      {previewed !== null && (
        <Confirmation label="Change quantity" kind="primary" perform={change} back={() => setPreviewed(null)}>
          <PreviewedBills preview={previewed.preview} />
        </Confirmation>
      )}
      {/* Kept, so that its values are still there on the way back. */}
      <div hidden={previewed !== null}>
        <Form
          submit_label="Preview"
          submit={preview}
          shape={time.when}
          beside={
            <button type="button" onClick={close}>
              Cancel
            </button>
          }
        >
          <QuantityFields plan={plan} now={subscription.quantities} hint="From 0, at most 6 decimals." />
          <TimeFields
            name="at"
            label="From"
            hint="No period ends. The fee is split by the time of each quantity."
            options={namedTimes(subscription)}
            time={time}
          />
          <InAdvance />
        </Form>
      </div>
    </>
  );
}

/** Choices that matter for fees in advance. */
function InAdvance() {
  return (
    <>
      <Select
        name="bill"
        label="A higher quantity of a fee in advance is billed"
        hint="An invoice at once suits yearly plans."
        options={[
          { value: 'with_next', label: 'with the invoice that closes the period' },
          { value: 'now', label: 'by an invoice of its own, as the time comes' },
        ]}
      />
      <Select
        name="settle"
        label="A lower quantity of a fee in advance is credited"
        hint="A credit note first takes off what is due."
        options={[
          { value: 'balance', label: 'to the balance' },
          { value: 'outside', label: 'and paid back outside of Tidemark' },
          { value: 'none', label: 'not at all: it stays paid until the period ends' },
        ]}
      />
    </>
  );
}

/** The body of the request, with the quantities that are others than now. Throws a Fault where none is. */
function requestOf({ quantities: now }: Subscription, values: Values, at: string): Request {
  const { settle, bill } = values;
  const typed = quantitiesIn(values).quantities;
  // At a later time all may be others than now by what is scheduled.
  const quantities = at === 'now' ? differing(typed, now) : typed;
  const [name] = Object.keys(now);
  if (Object.keys(quantities).length === 0)
    throw faultAt(`quantities.${name}`, 'invalid_state', 'Enter another quantity than the one of now.');
  return { quantities, at, settle, bill };
}

function PreviewedBills({
  preview: { opening, upcoming, credit_notes },
}: {
  preview: QuantityChangePreview;
}) {
  return (
    <div class="stack">
      {opening !== null && (
        <Bill bill={opening} title="The invoice for the higher quantity, as the time comes" />
      )}
      <Notes notes={credit_notes} />
      {upcoming !== null && (
        <Bill bill={upcoming} title="The invoice that closes the period, as far as is known" />
      )}
      {upcoming === null && opening === null && credit_notes.length === 0 && <p>No invoice follows.</p>}
    </div>
  );
}
