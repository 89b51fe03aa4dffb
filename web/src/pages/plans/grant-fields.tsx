import { Field, Select, useFieldFault } from '../../components/form.tsx';
import { withItem, withoutItem } from './draft-parts.ts';
import { newGrant, type DraftGrant } from './grant-draft.ts';

/** The server takes as many. */
const GRANTS_MAX = 20;

const EXPIRES = [
  { value: 'period_end', label: 'With the billing period' },
  { value: 'days', label: 'After days' },
];

const PRORATE = [
  { value: 'no', label: 'Gives the full amount' },
  { value: 'yes', label: 'Gives its share, in whole units' },
];

type GrantsProps = { grants: readonly DraftGrant[]; change: (grants: readonly DraftGrant[]) => void };

/** The credit that comes with each billing period of a plan. */
export function GrantFields({ grants, change }: GrantsProps) {
  const fault = useFieldFault('grants');
  return (
    <div class="stack">
      {fault !== null && <p class="field-fault">{fault}</p>}
      {grants.map((grant, index) => (
        <OneGrant
          key={grant.key}
          name={`grants[${index}]`}
          number={index + 1}
          grant={grant}
          change={(changed) => change(withItem(grants, index, changed))}
          remove={() => change(withoutItem(grants, index))}
        />
      ))}
      <button
        type="button"
        disabled={grants.length >= GRANTS_MAX}
        onClick={() => change([...grants, newGrant()])}
      >
        Add credit
      </button>
    </div>
  );
}

type GrantProps = {
  name: string;
  number: number;
  grant: DraftGrant;
  change: (grant: DraftGrant) => void;
  remove: () => void;
};

function OneGrant({ name, number, grant, change, remove }: GrantProps) {
  return (
    <div class="plan-fields" role="group" aria-label={`Credit ${number}`}>
      <Field
        name={`${name}.amount`}
        label="Units each period"
        keyboard="decimal"
        value={grant.amount}
        change={(amount) => change({ ...grant, amount })}
      />
      <Field
        name={`${name}.event_names`}
        label="Only for the events"
        hint="Names with commas between them; if empty, all."
        value={grant.event_names}
        change={(event_names) => change({ ...grant, event_names })}
      />
      <Select
        name={`${name}.expires`}
        label="Expires"
        value={grant.expires}
        options={EXPIRES}
        change={(expires) => change({ ...grant, expires: expires === 'days' ? 'days' : 'period_end' })}
      />
      {grant.expires === 'days' ? (
        <Field
          name={`${name}.expires.days`}
          label="Days"
          keyboard="numeric"
          value={grant.days}
          change={(days) => change({ ...grant, days })}
        />
      ) : (
        <Field
          name={`${name}.carry_over_max`}
          label="Carries over at most"
          hint="Units of what is left that may cover the next period; if empty, none."
          keyboard="decimal"
          value={grant.carry_over_max}
          change={(carry_over_max) => change({ ...grant, carry_over_max })}
        />
      )}
      <Select
        name={`${name}.prorate`}
        label="A short period, such as the first one"
        value={grant.prorate ? 'yes' : 'no'}
        options={PRORATE}
        change={(prorate) => change({ ...grant, prorate: prorate === 'yes' })}
      />
      <div class="form-buttons">
        <button type="button" onClick={remove}>
          Remove<span class="unseen"> credit {number}</span>
        </button>
      </div>
    </div>
  );
}
