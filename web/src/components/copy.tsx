import { useState } from 'preact/hooks';

type Outcome = 'ready' | 'copied' | 'refused';

const LABELS: Readonly<Record<Exclude<Outcome, 'ready'>, string>> = {
  copied: 'Copied',
  refused: 'Select the text and copy it manually',
};

type CopyButtonProps = { text: string; what: string; label?: string };

/** A button that copies a text to the clipboard. `what` names the text for screen readers. */
export function CopyButton({ text, what, label = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome>('ready');
  const copy = () => {
    // On an insecure origin (plain http) navigator.clipboard is undefined.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    );
  };
  return (
    <>
      <button type="button" class="copy" onClick={copy}>
        {outcome === 'ready' ? label : LABELS[outcome]}
        <span class="unseen"> {what}</span>
      </button>
      {/* Outside the button: inside, the message would become part of the button's accessible name. */}
      <span role="status" class="unseen">
        {outcome === 'ready' ? '' : LABELS[outcome]}
      </span>
    </>
  );
}

/** Shell commands with a button that copies them. */
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
