import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Form, type Values } from './form.tsx';

type DialogButtonProps = {
  label: string;
  /** Heading of the dialog. */
  title: string;
  kind?: 'plain' | 'primary' | 'danger';
  children: (close: () => void) => ComponentChildren;
};

/** A button that opens a dialog. */
export function DialogButton({ label, title, kind = 'plain', children }: DialogButtonProps) {
  const [is_open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class={kind} onClick={() => setOpen(true)}>
        {label}
      </button>
      <Dialog title={title} is_open={is_open} close={close}>
        {children(close)}
      </Dialog>
    </>
  );
}

type FormButtonProps = Omit<DialogButtonProps, 'children'> & {
  submit_label: string;
  /** Reject with a Fault to keep the dialog open and show the fault. */
  submit: (values: Values) => Promise<void>;
  children: ComponentChildren;
};

/** A button that opens a form in a dialog, which closes after a successful submission. */
export function FormButton({ submit_label, submit, children, ...button }: FormButtonProps) {
  return (
    <DialogButton {...button}>
      {(close) => (
        <Form
          submit_label={submit_label}
          kind={button.kind === 'danger' ? 'danger' : 'primary'}
          submit={async (values) => {
            await submit(values);
            close();
          }}
          beside={
            <button type="button" onClick={close}>
              Cancel
            </button>
          }
        >
          {children}
        </Form>
      )}
    </DialogButton>
  );
}
