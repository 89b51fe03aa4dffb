import { useState } from 'preact/hooks';

type Outcome = 'ready' | 'copied' | 'refused';

const LABELS: Readonly<Record<Outcome, string>> = {
  ready: 'Copy',
  copied: 'Copied',
  refused: 'Select it and copy by hand',
};

/** Puts a text onto the clipboard. `what` names it to who cannot see what stands beside the button. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<Outcome>('ready');
  const copy = () => {
    // Without a secure address there is no clipboard at all.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  };
  return (
    <>
      <button type="button" class="copy" onClick={copy}>
        {LABELS[outcome]}
        <span class="unseen"> {what}</span>
      </button>
      {/* Inside the button it would be no part of its name. */}
      <span role="status" class="unseen">
        {outcome === 'ready' ? '' : LABELS[outcome]}
      </span>
    </>
  );
}

/** Lines to run in a shell, with a button that copies them. */
export function Commands({ text, what = 'the command' }: { text: string; what?: string }) {
  return (
    <div class="commands">
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
