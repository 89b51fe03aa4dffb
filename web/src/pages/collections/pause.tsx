import type { CollectionPause, Customer } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { FormButton } from '../../components/dialog-button.tsx';
import { Field, filledIn, Select, TextArea, type Values } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Day } from '../../components/values.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { pauseInWords, REASON_OPTIONS } from './words.ts';

/** An invoice or a customer by its path in the API, and its pause. */
type Paused = { path: string; name: string; pause: CollectionPause | null; changed: () => void };

/** Pauses the reminders and charges of an invoice, or ends its pause. */
export function PauseInvoice(paused: Paused) {
  return paused.pause === null ? (
    <May use="pauseInvoiceCollection">
      <Pause {...paused} />
    </May>
  ) : (
    <May use="resumeInvoiceCollection">
      <Resume {...paused} />
    </May>
  );
}

/** Pauses the reminders and charges of all that a customer owes, or ends its pause. */
export function PauseCustomer(paused: Paused) {
  return paused.pause === null ? (
    <May use="pauseCustomerCollection">
      <Pause {...paused} />
    </May>
  ) : (
    <May use="resumeCustomerCollection">
      <Resume {...paused} />
    </May>
  );
}

function Pause({ path, name, changed }: Paused) {
  const client = useClient();
  const pause = async (values: Values) => {
    await client.post(`${path}/pause-collection`, filledIn(values));
    changed();
  };
  return (
    <FormButton
      label="Pause reminders"
      title={`Pause reminders of ${name}?`}
      submit_label="Pause"
      submit={pause}
    >
      <p>No reminder and no charge goes out by itself until the pause ends. Nothing else changes.</p>
      <Select name="reason" label="Reason" options={REASON_OPTIONS} />
      <Field
        name="until"
        label="Last day"
        type="date"
        hint="By the customer's time zone, at most a year ahead; if empty, until you resume."
      />
      <TextArea name="note" label="Note" rows={1} hint="For your colleagues; the payer does not see it." />
    </FormButton>
  );
}

function Resume({ path, name, changed }: Paused) {
  const client = useClient();
  const resume = async () => {
    await client.post(`${path}/resume-collection`);
    changed();
  };
  return (
    <QuestionButton
      label="Resume reminders"
      kind="plain"
      question={`Resume reminders of ${name}?`}
      perform={resume}
    >
      <p>
        Reminders and charges go out again, from the next one on. What the pause passed over does not follow.
      </p>
    </QuestionButton>
  );
}

/** Says that the customer of an invoice is paused, by its external id; nothing for one that is not. */
export function PauseOfCustomer({ id }: { id: string }) {
  const loaded = useLoad<Customer>(`/v1/customers/${encodeURIComponent(id)}`);
  return <PauseNotice pause={loaded.value?.collection_pause ?? null} what="the customer" />;
}

/** Says that reminders and charges are paused, why and since when; nothing for null. */
export function PauseNotice({ pause, what }: { pause: CollectionPause | null; what: string }) {
  if (pause === null) return null;
  return (
    <Notice kind="attention">
      <p>
        <strong>Reminders and charges of {what} are paused.</strong> {pauseInWords(pause)}, since{' '}
        <Day at={pause.created_at} />. {pause.note !== null && <q>{pause.note}</q>}
      </p>
    </Notice>
  );
}
