import { Field, TextArea, useFieldFault } from '../../components/form.tsx';
import { newCondition, type DraftCondition } from './condition-draft.ts';
import { withItem, withoutItem } from './draft-parts.ts';

type ConditionFieldsProps = {
  /** The path of the conditions in the request, as in charges[0].filters. */
  name: string;
  legend: string;
  hint: string;
  conditions: readonly DraftCondition[];
  /** How many there are at least. */
  least: number;
  change: (conditions: readonly DraftCondition[]) => void;
};

/** Properties and the values that they must have: which events count, or which events a price is for. */
export function ConditionFields({ name, legend, hint, conditions, least, change }: ConditionFieldsProps) {
  const fault = useFieldFault(name);
  return (
    <fieldset name={name} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {fault !== null && <p class="field-fault">{numbered(fault)}</p>}
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          name={name}
          number={index + 1}
          condition={condition}
          change={(changed) => change(withItem(conditions, index, changed))}
          remove={conditions.length <= least ? null : () => change(withoutItem(conditions, index))}
        />
      ))}
      <div class="form-buttons">
        <button type="button" onClick={() => change([...conditions, newCondition()])}>
          Add a condition
        </button>
      </div>
    </fieldset>
  );
}

type ConditionRowProps = {
  name: string;
  number: number;
  condition: DraftCondition;
  change: (condition: DraftCondition) => void;
  remove: (() => void) | null;
};

function ConditionRow({ name, number, condition, change, remove }: ConditionRowProps) {
  // The server names both parts by the property, of which a blank one is the part at fault.
  const property = condition.property.trim();
  const [of_property, of_values] = property === '' ? ['', ` ${number}`] : [` ${number}`, property];
  return (
    <div class="filter" role="group" aria-label={`Condition ${number}`}>
      <Field
        name={`${name}.${of_property}`}
        label="Property"
        value={condition.property}
        change={(changed) => change({ ...condition, property: changed })}
      />
      <TextArea
        name={`${name}.${of_values}`}
        label="Values, one per line"
        value={condition.values}
        change={(values) => change({ ...condition, values })}
      />
      <button type="button" disabled={remove === null} onClick={() => remove?.()}>
        Remove<span class="unseen"> condition {number}</span>
      </button>
    </div>
  );
}

/** The server counts prices from 0, the form from 1. */
function numbered(fault: string): string {
  return fault.replace(/\bprices\[(\d+)\]/g, (_, place: string) => `price ${Number(place) + 1}`);
}
