import { Notice } from '../../components/notice.tsx';
import { ShownOnce } from '../../components/shown-once.tsx';

/** The secret of an endpoint, after it was made. Null where the response of a repeated request no longer has it. */
export function SecretShownOnce({ secret, close }: { secret: string | null; close: () => void }) {
  if (secret !== null)
    return (
      <ShownOnce secret={secret} what="the secret" close={close}>
        <p>
          <strong>Copy the secret now.</strong> It verifies what is posted, and cannot be shown again.
        </p>
      </ShownOnce>
    );
  return (
    <>
      <Notice kind="attention">
        <p>
          The secret was shown before and cannot be shown again. If you have not kept it, give the endpoint a
          new one.
        </p>
      </Notice>
      <div class="form-buttons">
        <button type="button" class="primary" onClick={close}>
          Close
        </button>
      </div>
    </>
  );
}
