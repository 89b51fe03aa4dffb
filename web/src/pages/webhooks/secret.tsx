import { CopyButton } from '../../components/copy.tsx';
import { Notice } from '../../components/notice.tsx';
import { Code } from '../../components/values.tsx';

/** The secret of an endpoint, after it was made. Null where the response of a repeated request no longer has it. */
export function SecretShownOnce({ secret, close }: { secret: string | null; close: () => void }) {
  return (
    <>
      <Notice kind="attention">
        {secret === null ? (
          <p>
            The secret was shown before and cannot be shown again. If you have not kept it, give the endpoint
            a new one.
          </p>
        ) : (
          <p>
            <strong>Copy the secret now.</strong> It verifies what is posted, and cannot be shown again.
          </p>
        )}
      </Notice>
      {secret !== null && (
        <p class="secret">
          <Code>{secret}</Code> <CopyButton text={secret} what="the secret" />
        </p>
      )}
      <div class="form-buttons">
        <button type="button" class="primary" onClick={close}>
          {secret === null ? 'Close' : 'I have copied the secret'}
        </button>
      </div>
    </>
  );
}
