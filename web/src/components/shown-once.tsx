import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';
import { Notice } from './notice.tsx';
import { Code } from './values.tsx';

type ShownOnceProps = {
  secret: string;
  /** Names the secret: "the key". */
  what: string;
  children: ComponentChildren;
  close: () => void;
};

/** A secret that no later page shows, with a button that copies it. */
export function ShownOnce({ secret, what, children, close }: ShownOnceProps) {
  return (
    <>
      <Notice kind="attention">{children}</Notice>
      <p class="secret">
        <Code>{secret}</Code> <CopyButton text={secret} what={what} />
      </p>
      <div class="form-buttons">
        <button type="button" class="primary" onClick={close}>
          I have copied {what}
        </button>
      </div>
    </>
  );
}
