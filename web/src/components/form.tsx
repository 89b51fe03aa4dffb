import {
  createContext,
  type ComponentChildren,
  type RefObject,
  type TargetedInputEvent,
  type TargetedSubmitEvent,
} from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from '../api/use-action.ts';
import type { Fault } from '../api/fault.ts';
import { sentenceOf, useRefusalSentence } from '../api/use-refusal.ts';
import type { FaultDetail } from '../api/objects.ts';
import { noteUnsaved } from './unsaved.ts';
import { RequestId } from './notice.tsx';

/** Values of a form by field name; each name is the path of the field in the request's body. */
export type Values = Readonly<Record<string, string>>;

const FaultsOfForm = createContext<readonly FaultDetail[]>([]);

type FormProps = {
  submit_label: string;
  /** Danger, for an action that cannot be undone, is red. */
  kind?: 'primary' | 'danger';
  /** Reject with a Fault to show it: its details at their fields, the others above the button. */
  submit: (values: Values) => Promise<void>;
  children: ComponentChildren;
  /** Label after success if the form stays visible. */
  done_label?: string;
  /** Elements beside the button, such as a Cancel button. */
  beside?: ComponentChildren;
  /**
   * Identifies the present set of fields, for a form whose fields change. Faults of a submission with another set are
   * not shown.
   */
  shape?: string;
};

/**
 * A form that submits once at a time and shows the server's faults at the fields. On failure the first faulty field
 * gets the focus.
 */
export function Form({
  submit_label,
  kind = 'primary',
  submit,
  children,
  done_label,
  beside,
  shape = '',
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const submitted_shape = useRef(shape);
  const { noteEntries, noteSaved } = useUnsaved(form);
  const {
    state,
    fault: last_fault,
    run,
  } = useAction(async (values: Values) => {
    await submit(values);
    noteSaved(values);
  });
  const fault = submitted_shape.current === shape ? last_fault : null;
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    first?.focus();
  }, [fault]);
  const onSubmit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    submitted_shape.current = shape;
    run(valuesOf(event.currentTarget));
  };
  return (
    <form ref={form} class="form" onSubmit={onSubmit} onInput={noteEntries} noValidate>
      <FaultsOfForm.Provider value={fault?.details ?? []}>{children}</FaultsOfForm.Provider>
      {fault !== null && <FormFault fault={fault} form={form.current} />}
      <div class="form-buttons">
        <button class={`primary ${kind}`} disabled={state === 'running'}>
          {state === 'running' ? 'Please wait …' : submit_label}
        </button>
        {beside}
        <span role="status" class="done">
          {state === 'done' && done_label}
        </span>
      </div>
    </form>
  );
}

/**
 * Notes that a form has entries that are not saved, as long as its values are others than at first or when they were
 * saved.
 */
function useUnsaved(form: RefObject<HTMLFormElement | null>) {
  const saved = useRef('');
  useEffect(() => {
    const element = form.current!;
    saved.current = JSON.stringify(valuesOf(element));
    return () => noteUnsaved(element, false);
  }, [form]);
  const noteEntries = () => {
    if (form.current !== null)
      noteUnsaved(form.current, JSON.stringify(valuesOf(form.current)) !== saved.current);
  };
  const noteSaved = (values: Values) => {
    saved.current = JSON.stringify(values);
    noteEntries();
  };
  return { noteEntries, noteSaved };
}

/** The values of a form's fields. */
export function valuesOf(form: HTMLFormElement): Values {
  const entries = [...new FormData(form).entries()];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The values without empty ones: an empty field means an absent one. */
export function filledIn(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''));
}

/** The values without spaces around them. */
export function trimmed(values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value.trim()]));
}

/** A whole number; the text itself if it is none, so that the server's message stands at the field. */
export function wholeNumberOf(text: string): number | string {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : text;
}

/** The messages that belong to no field of the form; the request id of a request that failed. */
function FormFault({ fault, form }: { fault: Fault; form: HTMLFormElement | null }) {
  const has = ({ param }: FaultDetail) =>
    param !== null && [...(form?.elements ?? [])].some((element) => element.getAttribute('name') === param);
  const other_details = fault.details.filter((detail) => !has(detail));
  const has_all = fault.details.length > 0 && other_details.length === 0;
  const sentence = useRefusalSentence(fault);
  const messages =
    other_details.length > 1 ? other_details.map(({ message }) => sentenceOf(message)) : [sentence];
  return (
    <div class="notice notice-fault" role="alert">
      {has_all ? <p>Nothing was saved. Correct the marked fields.</p> : null}
      {!has_all && messages.map((message) => <p key={message}>{message}</p>)}
      <RequestId fault={fault} />
    </div>
  );
}

/**
 * The server's messages for a field, joined; null if there are none. The field's name at the start is removed, as the
 * label says it.
 */
export function useFieldFault(name: string): string | null {
  const messages = useContext(FaultsOfForm).flatMap(({ param, message }) =>
    param === name ? [message.startsWith(`${name} `) ? message.slice(name.length + 1) : message] : [],
  );
  return messages.length === 0 ? null : messages.join(' ');
}

/** Whether the server refused the form for this reason. */
export function useRefusal(reason: FaultDetail['reason']): boolean {
  return useContext(FaultsOfForm).some((detail) => detail.reason === reason);
}

type Labelled = {
  name: string;
  label: string;
  /** A sentence under the label that says what to enter. */
  hint?: string | undefined;
};

type Control = { id: string; name: string; 'aria-invalid': boolean; 'aria-describedby': string };

/** A label, a control rendered by `children` from its attributes, and the server's message for the field. */
export function Labelled({
  name,
  label,
  hint,
  children,
}: Labelled & { children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const fault = useFieldFault(name);
  const control = { id, name, 'aria-invalid': fault !== null, 'aria-describedby': `${id}-hint ${id}-fault` };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {children(control)}
      {fault !== null && (
        <p class="field-fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

/** A control's value: `initial` if the form reads it on submission; `value` with `change` if the page holds it. */
type Kept = {
  initial?: string | undefined;
  value?: string;
  change?: (value: string) => void;
  is_disabled?: boolean;
};

function attributesOf({ initial, value, change, is_disabled = false }: Kept) {
  type Element = HTMLInputElement | HTMLTextAreaElement;
  const onInput = ({ currentTarget }: TargetedInputEvent<Element>) => change?.(currentTarget.value);
  return {
    disabled: is_disabled,
    onInput,
    ...(initial === undefined ? {} : { defaultValue: initial }),
    ...(value === undefined ? {} : { value }),
  };
}

type FieldProps = Labelled &
  Kept & {
    /**
     * A date is sent as 2026-10-31, a month as 2026-10, a time of day as 09:30. Decimals are text: a number input would
     * parse them as doubles.
     */
    type?: 'text' | 'date' | 'month' | 'time';
    keyboard?: 'decimal' | 'numeric';
    placeholder?: string;
  };

/** A single-line text field. */
export function Field({ name, label, hint, type = 'text', keyboard, placeholder, ...rest }: FieldProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(control) => {
        const attributes = { ...attributesOf(rest), ...control, inputMode: keyboard, placeholder };
        return type === 'text' ? (
          <input type="text" autocomplete="off" {...attributes} />
        ) : (
          <input type={type} {...attributes} />
        );
      }}
    </Labelled>
  );
}

/** A multi-line text field. */
export function TextArea({ name, label, hint, rows = 3, ...rest }: Labelled & Kept & { rows?: number }) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(control) => <textarea rows={rows} {...attributesOf(rest)} {...control} />}
    </Labelled>
  );
}

type SelectProps = Labelled & {
  options: readonly { value: string; label: string }[];
  value?: string;
  change?: (value: string) => void;
};

/** A choice of a few options; without a value the first one is selected. */
export function Select({ name, label, hint, options, value, change }: SelectProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {(control) => (
        <select onChange={({ currentTarget }) => change?.(currentTarget.value)} {...control}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}
