import { useState } from 'preact/hooks';
import type { Invoice, List } from '../../api/objects.ts';
import { DialogButton } from '../../components/dialog-button.tsx';
import { Form, Labelled, type Values } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Money } from '../../components/values.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { SubscriptionField } from '../choices/subscription-field.tsx';

type GenerateProps = {
  /** The subscription to bill; without one the form asks for it. */
  subscription_id?: string;
  generated: () => void;
};

/** Bills by hand what a subscription's workflow does not bill by itself. */
export function GenerateButton(props: GenerateProps) {
  return (
    <DialogButton label="Generate" title="Generate invoices">
      {(close) => <Generation {...props} close={close} />}
    </DialogButton>
  );
}

function Generation({ subscription_id, generated, close }: GenerateProps & { close: () => void }) {
  const [made, setMade] = useState<List<Invoice> | null>(null);
  const client = useClient();
  const generate = async (values: Values) => {
    const list = await client.post<List<Invoice>>('/v1/invoices/generate', {
      subscription_id: subscription_id ?? values['subscription_id'] ?? '',
      close_now: values['close_now'] !== undefined,
    });
    setMade(list);
    generated();
  };
  const cancel = (
    <button type="button" onClick={close}>
      Close
    </button>
  );
  // The form would cut the period once more.
  if (made !== null && made.data.length > 0) return <Generated list={made} close={close} />;
  return (
    <>
      {made !== null && <Notice kind="good">No period was due, so no invoice was created.</Notice>}
      <p>Ended periods that have no invoice or only void invoices are billed immediately, without a hold.</p>
      <Form submit_label="Generate invoices" submit={generate} beside={cancel}>
        {subscription_id === undefined && <SubscriptionField />}
        <Labelled
          name="close_now"
          label="Also bill the current period until now"
          hint="The current period ends now, and the rest of it becomes a second part. This cannot be undone."
        >
          {(control) => <input type="checkbox" class="check" {...control} />}
        </Labelled>
      </Form>
    </>
  );
}

function Generated({ list: { data, has_more }, close }: { list: List<Invoice>; close: () => void }) {
  return (
    <>
      <Notice kind="good">
        <p>{data.length === 1 ? 'This invoice was created:' : 'These invoices were created:'}</p>
        <ul>
          {data.map(({ id, number, total, currency }) => (
            <li key={id}>
              <Link to={`/invoices/${id}`}>{number ?? 'draft'}</Link>{' '}
              <Money amount={total} currency={currency} />
            </li>
          ))}
        </ul>
        {has_more && <p>There are more periods to bill. Generate again.</p>}
      </Notice>
      <div class="form-buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}
