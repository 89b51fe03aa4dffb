import type { Email } from '../../api/objects.ts';
import { QuestionButton } from '../../components/action-button.tsx';
import { May, useClient } from '../../shell/session.tsx';
import { SendButton } from './send-button.tsx';

/** Buttons for what can be done with an email now. */
export function EmailActions({ email, changed }: { email: Email; changed: () => void }) {
  const client = useClient();
  const path = `/v1/emails/${email.id}`;
  const cancel = async () => {
    await client.post(`${path}/cancel`);
    changed();
  };
  if (email.status === 'queued')
    return (
      <May use="cancelEmail">
        <QuestionButton label="Cancel" kind="danger" question="Cancel this email?" perform={cancel}>
          <p>It does not leave. Its document can still be sent from its page.</p>
        </QuestionButton>
      </May>
    );
  return (
    <May use="resendEmail">
      <SendButton label="Send again" title="Send the document of this email again?" path={`${path}/resend`} />
    </May>
  );
}
