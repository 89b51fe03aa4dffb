import { Field, TextArea } from '../../components/form.tsx';
import { newFilter, withItem, withoutItem, type DraftFilter } from './plan-draft.ts';

type FilterFieldsProps = {
  /** The path of the charge in the request, as in charges[0]. */
  place: string;
  filters: readonly DraftFilter[];
  change: (filters: readonly DraftFilter[]) => void;
};

/** Which events count: all of the name, or those whose properties have certain values. */
export function FilterFields({ place, filters, change }: FilterFieldsProps) {
  return (
    <fieldset>
      <legend>Filters</legend>
      <p class="hint">
        {filters.length === 0
          ? 'All events with this name count.'
          : 'An event counts if each property has one of the given values.'}
      </p>
      {filters.map((filter, index) => (
        <div class="filter" key={filter.key} role="group" aria-label={`Condition ${index + 1}`}>
          <Field
            name={`${place}.filters`}
            label="Property"
            value={filter.property}
            change={(property) => change(withItem(filters, index, { ...filter, property }))}
          />
          <TextArea
            name={`${place}.filters.${filter.property.trim()}`}
            label="Values, one per line"
            value={filter.values}
            change={(values) => change(withItem(filters, index, { ...filter, values }))}
          />
          <button type="button" onClick={() => change(withoutItem(filters, index))}>
            Remove<span class="unseen"> condition {index + 1}</span>
          </button>
        </div>
      ))}
      <div class="form-buttons">
        <button type="button" onClick={() => change([...filters, newFilter()])}>
          Add a condition
        </button>
      </div>
    </fieldset>
  );
}
