import { useState } from 'preact/hooks';
import { atList } from '../../api/fault.ts';
import type { Email } from '../../api/objects.ts';
import { FormButton } from '../../components/dialog-button.tsx';
import { TextArea, type Values } from '../../components/form.tsx';
import { Link } from '../../shell/environment.tsx';
import { useClient } from '../../shell/session.tsx';
import { addressesIn } from './words.ts';

type SendProps = {
  label?: string;
  /** The sentence of the dialog: `Send the invoice INV-000001?` */
  title: string;
  /** The path of the request: `/v1/invoices/inv_.../send`. */
  path: string;
  sent?: () => void;
};

/** Sends a document by email, at once; then links to the email. */
export function SendButton({ label = 'Send', title, path, sent }: SendProps) {
  const client = useClient();
  const [email, setEmail] = useState<Email | null>(null);
  const send = async (values: Values) => {
    const to = addressesIn(values['to']);
    const body = to.length === 0 ? {} : { to };
    const written = await client.post<Email>(path, body).catch((error: unknown) => {
      throw atList(error, 'to');
    });
    setEmail(written);
    sent?.();
  };
  return (
    <>
      <FormButton label={label} title={title} submit_label="Send now" submit={send}>
        <p>It leaves at once, at any hour, with its files and a link to the portal.</p>
        <TextArea
          name="to"
          label="To"
          hint="At most ten addresses, one in each line; if empty, those of the customer."
        />
      </FormButton>
      <span role="status" class="done">
        {email !== null && (
          <>
            <Link to={`/emails/${email.id}`}>The email</Link> is on its way.
          </>
        )}
      </span>
    </>
  );
}
