import { Field, useFieldFault } from '../../components/form.tsx';
import { filledText } from './draft-parts.ts';

type GroupFieldsProps = {
  /** The path of the charge in the request, as in charges[0]. */
  place: string;
  group_by: readonly string[];
  change: (group_by: readonly string[]) => void;
};

/** The one or two properties whose values have lines of their own on the invoice. */
export function GroupFields({ place, group_by: [first = '', second = ''], change }: GroupFieldsProps) {
  const name = `${place}.group_by`;
  const fault = useFieldFault(name);
  return (
    <fieldset name={name} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>A line for each value of</legend>
      <p class="hint">
        If empty, the values share a line. Each line is rounded, and has tiers and free units of its own. At
        most 100 in a period; the rest is one line.
      </p>
      {fault !== null && <p class="field-fault">{fault}</p>}
      <Field
        name={`${name}[0]`}
        label="First property"
        placeholder="none"
        value={first}
        change={(changed) => change([changed, second])}
      />
      {filledText(first) !== undefined && (
        <Field
          name={`${name}[1]`}
          label="Second property"
          placeholder="none"
          value={second}
          change={(changed) => change([first, changed])}
        />
      )}
    </fieldset>
  );
}
