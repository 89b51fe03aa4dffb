import type { TargetedInputEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { asFault } from '../api/fault.ts';
import { Labelled } from './form.tsx';

/** A choice: the value for the request, its name for people, and what tells it from others of that name. */
export type Choice = { value: string; label: string; details: string };

/**
 * Finds what people may mean by some words, the best first, or what is newest. Must be the same function at every
 * render.
 */
export type Find = (words: string, signal: AbortSignal) => Promise<readonly Choice[]>;

type ComboboxProps = {
  name: string;
  label: string;
  hint?: string | undefined;
  placeholder?: string;
  initial?: string | undefined;
  find: Find;
  /** A hook: the name of a value that was not chosen here; null if it has none. */
  useLabel: (value: string) => string | null;
  /** Receives what was chosen; null once other text is typed. */
  change?: (choice: Choice | null) => void;
  /** False: Enter chooses only what the arrows have reached, and typing a choice in full does not choose it. */
  takes_first?: boolean;
};

/** Debounce: how long to wait after the last keystroke before asking the server. */
const PAUSE_MS = 200;
const CHOICES_MAX = 10;

/**
 * A text field that offers what it finds while one types. The form gets the value of what was chosen, else the text as
 * it was typed, so that an id can be pasted.
 */
export function Combobox({ name, label, hint, placeholder, ...rest }: ComboboxProps) {
  return (
    <Labelled name={name} label={label} hint={hint}>
      {({ name: _, ...control }) => (
        <ChoiceInput name={name} placeholder={placeholder} control={control} {...rest} />
      )}
    </Labelled>
  );
}

type InputProps = Omit<ComboboxProps, 'label' | 'hint' | 'placeholder'> & {
  placeholder: string | undefined;
  /** Attributes of the text field: at least what names it. */
  control: Readonly<Record<string, string | boolean>>;
};

/** The text field of a combobox with its choices, without a label. */
export function ChoiceInput({ name, control, placeholder, ...rest }: InputProps) {
  const list_id = useId();
  const { text, value, is_open, at, search, choose, handlers } = useChoosing(rest);
  const is_expanded = is_open && search.choices.length > 0;
  return (
    <div class="combobox">
      <input type="hidden" name={name} value={value} />
      <input
        type="text"
        role="combobox"
        autocomplete="off"
        maxLength={255}
        placeholder={placeholder}
        value={text}
        aria-autocomplete="list"
        aria-expanded={is_expanded}
        aria-controls={is_expanded ? list_id : undefined}
        aria-activedescendant={is_expanded && at !== NONE ? `${list_id}-${at}` : undefined}
        {...handlers}
        {...control}
      />
      <div class={is_open ? 'choices' : 'unseen'}>
        {is_expanded && <Choices id={list_id} choices={search.choices} at={at} choose={choose} />}
        <p role="status" class={is_expanded ? 'unseen' : undefined}>
          {is_open && search.message}
        </p>
      </div>
    </div>
  );
}

type ChoosingProps = Pick<ComboboxProps, 'initial' | 'find' | 'useLabel' | 'change' | 'takes_first'>;

/**
 * The state of a combobox and what the keyboard and the pointer do to it. `value` is for the form, `text` for the eye.
 */
function useChoosing({ initial = '', find, useLabel, change, takes_first = true }: ChoosingProps) {
  const [chosen, setChosen] = useState<Choice | null>(null);
  // Null while the field shows a value by its name.
  const [typed, setTyped] = useState<string | null>(null);
  // A name that comes must not change the text under the hands of a person.
  const [at_focus, setAtFocus] = useState<string | null>(null);
  const [wants_open, setOpen] = useState(false);
  const [at, setAt] = useState(NONE);
  const words = typed?.trim() ?? '';
  const is_open = wants_open && (takes_first || words !== '');
  const search = useSearch(find, words, is_open);
  const { choices } = search;
  const first = takes_first && words !== '' && choices.length > 0 ? 0 : NONE;
  useEffect(() => setAt(first), [first, words, choices]);
  const label = useLabel(chosen === null ? initial : '');
  const text = typed ?? chosen?.label ?? at_focus ?? label ?? initial;
  const choose = (choice: Choice) => {
    setChosen(choice);
    setTyped(null);
    setOpen(false);
    change?.(choice);
  };
  const onInput = ({ currentTarget }: TargetedInputEvent<HTMLInputElement>) => {
    setTyped(currentTarget.value);
    setOpen(true);
    change?.(null);
  };
  const onBlur = () => {
    setAtFocus(null);
    setOpen(false);
    // Typed in full, it need not be chosen.
    const meant =
      typed === null || !takes_first ? undefined : choices.find((choice) => isMeant(choice, words));
    if (meant !== undefined) choose(meant);
  };
  const onFocus = () => setAtFocus(text);
  const onClick = () => setOpen(true);
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key } = event;
    const choice = choices[at];
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      if (is_open) setAt(moved(at, choices.length, key));
      setOpen(true);
    } else if (key === 'Enter' && is_open && choice !== undefined) choose(choice);
    // In a dialog, Escape closes first the list, then the dialog.
    else if (key === 'Escape' && is_open) setOpen(false);
    else return;
    event.preventDefault();
  };
  const value = typed === null ? (chosen?.value ?? initial) : words;
  return {
    text,
    is_open,
    at,
    search,
    choose,
    value,
    handlers: { onInput, onKeyDown, onBlur, onFocus, onClick },
  };
}

const NONE = -1;

type ListProps = { id: string; choices: readonly Choice[]; at: number; choose: (choice: Choice) => void };

function Choices({ id, choices, at, choose }: ListProps) {
  return (
    <ul role="listbox" id={id} aria-label="What was found">
      {choices.map((choice, place) => (
        <li
          key={choice.value}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === at}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(choice)}
        >
          <span>{choice.label}</span> <span class="faint">{choice.details}</span>
        </li>
      ))}
    </ul>
  );
}

/** The place after a step down or up, from the end to the other end. */
function moved(at: number, count: number, key: 'ArrowDown' | 'ArrowUp'): number {
  if (count === 0) return NONE;
  if (key === 'ArrowDown') return (at + 1) % count;
  return at <= 0 ? count - 1 : at - 1;
}

function isMeant({ value, label }: Choice, words: string): boolean {
  return [value, label].some((text) => text.toLowerCase() === words.toLowerCase());
}

type Search = { choices: readonly Choice[]; message: string };
type Found = Search & { words: string };

const NO_CHOICES: readonly Choice[] = [];

/** Finds choices for the present words, or says why there are none; an answer to other words is dropped. */
function useSearch(find: Find, words: string, is_on: boolean): Search {
  const [result, setResult] = useState<Found | null>(null);
  useEffect(() => {
    if (!is_on) return;
    const controller = new AbortController();
    const search = () =>
      find(words, controller.signal).then(
        (all) => setResult({ words, choices: all.slice(0, CHOICES_MAX), message: countOf(all.length) }),
        (error: unknown) => {
          if (!controller.signal.aborted)
            setResult({ words, choices: NO_CHOICES, message: asFault(error).message });
        },
      );
    const timer = setTimeout(() => void search(), words === '' ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [find, words, is_on]);
  if (result === null || result.words !== words) return { choices: NO_CHOICES, message: 'Searching …' };
  return result;
}

function countOf(count: number): string {
  if (count === 0) return 'Nothing was found. You can also enter an id.';
  return count > CHOICES_MAX ? `The first ${CHOICES_MAX} of those found` : `${count} found`;
}
