import type { Plan } from '../../api/objects.ts';
import { Field, Select } from '../../components/form.tsx';
import { Section } from '../../components/page.tsx';
import { CustomerField } from '../choices/customer-field.tsx';
import { PlanLink } from '../parts/links.tsx';
import { placesOf, type DraftCustomPlan } from './custom-draft.ts';
import { withItem } from './draft-parts.ts';
import { GrantFields } from './grant-fields.tsx';
import { OverrideFields } from './override-fields.tsx';
import { shapeOf } from './plan-draft.ts';

/** The shape of a custom plan: by its prices and its credit the server names faults. */
export function shapeOfCustom({ charges, has_own_grants, grants }: DraftCustomPlan): string {
  const own_charges = charges.flatMap(({ is_own, charge }) => (is_own ? [charge] : []));
  return shapeOf({ charges: own_charges, grants: has_own_grants ? grants : [] });
}

const GRANTS = [
  { value: 'base', label: 'as in the base' },
  { value: 'own', label: 'a list of its own' },
];

type FieldsProps = {
  base: Plan;
  customer_id: string | undefined;
  plan: DraftCustomPlan;
  change: (plan: DraftCustomPlan) => void;
};

/** All fields of a custom plan. */
export function CustomPlanFields({ base, customer_id, plan, change }: FieldsProps) {
  const { charges, has_own_grants, grants } = plan;
  const places = placesOf(charges);
  return (
    <>
      <p class="lead">
        A plan for one customer alone, based on <PlanLink id={base.id} />: what is not changed here is as in
        that plan. Later versions of it change nothing of this one.
      </p>
      <Terms base={base} customer_id={customer_id} plan={plan} change={change} />
      <Section title="Prices">
        <div class="stack">
          {charges.map((override, index) => (
            <OverrideFields
              key={override.charge.key}
              place={places[index] ?? null}
              of={base.charges[index]!}
              override={override}
              currency={base.currency}
              change={(changed) => change({ ...plan, charges: withItem(charges, index, changed) })}
            />
          ))}
        </div>
      </Section>
      <Section title="Credit">
        <Select
          name="has grants"
          label="Credit of each billing period"
          options={GRANTS}
          value={has_own_grants ? 'own' : 'base'}
          change={(chosen) => change({ ...plan, has_own_grants: chosen === 'own' })}
        />
        {has_own_grants && (
          <GrantFields grants={grants} change={(changed) => change({ ...plan, grants: changed })} />
        )}
      </Section>
    </>
  );
}

function Terms({ base, customer_id, plan, change }: FieldsProps) {
  const least = base.minimum_amount === null ? 'none' : `${base.minimum_amount} ${base.currency}`;
  return (
    <div class="plan-fields">
      <CustomerField initial={customer_id} />
      <Field
        name="name"
        label="Name"
        hint={`If empty, ${base.name}.`}
        value={plan.name}
        change={(name) => change({ ...plan, name })}
      />
      <Field
        name="minimum_amount"
        label="Minimum"
        hint={`Net, of a billing period; if empty, that of the base: ${least}.`}
        keyboard="decimal"
        value={plan.minimum_amount}
        change={(minimum_amount) => change({ ...plan, minimum_amount })}
      />
    </div>
  );
}
