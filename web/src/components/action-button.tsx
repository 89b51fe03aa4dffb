import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Fault } from '../api/fault.ts';
import { useAction } from '../api/use-action.ts';
import { Dialog } from './dialog.tsx';
import { FaultNotice } from './notice.tsx';

type ActionButtonProps = {
  label: ComponentChildren;
  perform: () => Promise<void>;
  /** Label once the action has succeeded. */
  done_label?: string;
  kind?: 'plain' | 'primary' | 'danger';
  /** Advice about a fault, below its message. */
  adviceOn?: (fault: Fault) => ComponentChildren;
};

/** A button that shows when its action runs, succeeds or fails. */
export function ActionButton({
  label,
  perform,
  done_label = 'Done.',
  kind = 'plain',
  adviceOn,
}: ActionButtonProps) {
  const { state, fault, run } = useAction(perform);
  return (
    <span class="action">
      <button type="button" class={kind} aria-busy={state === 'running'} onClick={() => run()}>
        {state === 'running' ? 'Please wait …' : label}
      </button>
      <span role="status" class="done">
        {state === 'done' && done_label}
      </span>
      {fault !== null && <FaultNotice fault={fault}>{adviceOn?.(fault)}</FaultNotice>}
    </span>
  );
}

type QuestionButtonProps = ActionButtonProps & {
  /** Heading of the dialog: the question. */
  question: string;
  /** Text that says what the action does and whether it can be undone. */
  children: ComponentChildren;
};

/** A button that asks for confirmation in a dialog. On success the dialog closes and the button shows `done_label`. */
export function QuestionButton({
  question,
  children,
  label,
  perform,
  done_label = 'Done.',
  kind = 'danger',
}: QuestionButtonProps) {
  const [is_open, setOpen] = useState(false);
  const [is_done, setDone] = useState(false);
  const ask = (opens: boolean) => {
    setOpen(opens);
    setDone(false);
  };
  const act = async () => {
    await perform();
    setOpen(false);
    setDone(true);
  };
  return (
    <span class="action">
      <button type="button" class={kind} onClick={() => ask(true)}>
        {label}
      </button>
      <span role="status" class="done">
        {is_done && done_label}
      </span>
      <Dialog title={question} is_open={is_open} close={() => setOpen(false)}>
        {children}
        <div class="form-buttons">
          <ActionButton label={label} kind={kind} perform={act} />
          <button type="button" onClick={() => ask(false)}>
            Leave it
          </button>
        </div>
      </Dialog>
    </span>
  );
}
