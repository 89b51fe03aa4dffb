import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { valuesOf, type Values } from './form.tsx';

type FiltersProps = {
  /** What the fields hold now, by name: with other values from elsewhere the fields are made anew. */
  values: Readonly<Record<string, string | undefined>>;
  /** What was typed; an empty field is an absent filter. */
  apply: (values: Values) => void;
  children: ComponentChildren;
};

/** Fields that narrow a list, in a row. */
export function Filters({ values, apply, children }: FiltersProps) {
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    apply(valuesOf(event.currentTarget));
  };
  const names = Object.keys(values);
  const is_filtered = names.some((name) => values[name]);
  return (
    <form class="filters" role="search" key={JSON.stringify(values)} onSubmit={submit}>
      {children}
      <button>Filter</button>
      {is_filtered && (
        <button type="button" onClick={() => apply(Object.fromEntries(names.map((name) => [name, ''])))}>
          Show all
        </button>
      )}
    </form>
  );
}
