import type { ComponentChildren, TargetedSubmitEvent } from 'preact';
import { valuesOf, type Values } from './form.tsx';

type FiltersProps = {
  /** Present filters by field name. If they change from outside, the form is rendered anew. */
  values: Readonly<Record<string, string | undefined>>;
  /** Receives the form's values; an empty value means no filter. */
  apply: (values: Values) => void;
  children: ComponentChildren;
};

/** A row of fields that filter a list. */
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
