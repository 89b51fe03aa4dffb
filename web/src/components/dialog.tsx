import type { ComponentChildren, TargetedEvent } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { mayLeave } from './unsaved.ts';

type DialogProps = { title: string; is_open: boolean; close: () => void; children: ComponentChildren };

/** The browser's modal dialog: Escape closes it, and the focus then returns to the previous element. */
export function Dialog({ title, is_open, close, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (is_open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [is_open]);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={close} onCancel={keepUnsaved}>
      {is_open && (
        <>
          <h2 id={id}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  );
}

/** Escape asks where something was entered. */
function keepUnsaved(event: TargetedEvent<HTMLDialogElement>): void {
  if (!mayLeave(event.currentTarget)) event.preventDefault();
}
