import type { PricingModel } from '../../api/objects.ts';
import { Field, Select, useFieldFault } from '../../components/form.tsx';
import type { AmountField } from '../../api/sent-pricing.ts';
import { AMOUNTS, isPriced, pricingOf, type DraftCharge } from './plan-draft.ts';
import { FilterFields } from './filter-fields.tsx';
import { AGGREGATIONS, isOneOf, MODELS } from './models.ts';
import { PriceCurve } from './price-curve.tsx';
import { TierFields } from './tier-fields.tsx';

type ChargeFieldsProps = {
  index: number;
  charge: DraftCharge;
  currency: string;
  change: (charge: DraftCharge) => void;
  /** Null for the only charge of a plan. */
  remove: (() => void) | null;
};

/** All fields of a charge, and what it would cost beside them. */
export function ChargeFields({ index, charge, currency, change, remove }: ChargeFieldsProps) {
  const place = `charges[${index}]`;
  const fault = useFieldFault(place);
  const is_flat = charge.pricing_model === 'flat';
  return (
    <fieldset class="charge" name={place} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>Charge {index + 1}</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      <div class="columns">
        <div class="stack">
          <Names {...{ place, charge, change }} />
          {!is_flat && <Selection {...{ place, charge, change }} />}
        </div>
        <div class="stack">
          <Prices {...{ place, charge, currency, change }} />
          {!is_flat && <Preview {...{ charge, currency }} />}
        </div>
      </div>
      {remove !== null && (
        <div class="form-buttons">
          <button type="button" onClick={remove}>
            Remove charge {index + 1}
          </button>
        </div>
      )}
    </fieldset>
  );
}

function Preview({ charge, currency }: { charge: DraftCharge; currency: string }) {
  if (!isPriced(charge))
    return <p class="faint">What a period costs is drawn here once its prices are filled in.</p>;
  return <PriceCurve title="What a period costs" pricing={pricingOf(charge)} currency={currency} />;
}

type PartProps = { place: string; charge: DraftCharge; change: (charge: DraftCharge) => void };

function Names({ place, charge, change }: PartProps) {
  return (
    <>
      <Field
        name={`${place}.event_name`}
        label="Event name"
        hint={
          charge.pricing_model === 'flat'
            ? 'A name of its own: a flat charge counts no events.'
            : 'The event_name of the events that it charges for.'
        }
        placeholder="api_call"
        value={charge.event_name}
        change={(event_name) => change({ ...charge, event_name })}
      />
      <Field
        name={`${place}.name`}
        label="Name on the invoice"
        hint="A readable form of the event name where there is none."
        value={charge.name}
        change={(name) => change({ ...charge, name })}
      />
    </>
  );
}

function Selection({ place, charge, change }: PartProps) {
  return (
    <>
      <Select
        name={`${place}.aggregation.type`}
        label="A period’s quantity is"
        value={charge.aggregation}
        options={Object.entries(AGGREGATIONS).map(([value, label]) => ({ value, label }))}
        change={(type) => isOneOf(AGGREGATIONS, type) && change({ ...charge, aggregation: type })}
      />
      {charge.aggregation !== 'count' && (
        <Field
          name={`${place}.aggregation.property`}
          label="Property"
          hint="A member of the events’ properties."
          value={charge.property}
          change={(property) => change({ ...charge, property })}
        />
      )}
      <Field
        name={`${place}.unit_name`}
        label="Unit on the invoice"
        hint="In the plural. Left empty, the line says events, or the bare number."
        placeholder="minutes"
        value={charge.unit_name}
        change={(unit_name) => change({ ...charge, unit_name })}
      />
      <FilterFields
        place={place}
        filters={charge.filters}
        change={(filters) => change({ ...charge, filters })}
      />
    </>
  );
}

const AMOUNT_LABELS: Readonly<Record<AmountField, { label: string; hint?: string }>> = {
  flat_amount: { label: 'A period costs' },
  unit_amount: { label: 'A unit costs' },
  package_size: { label: 'Units in a package' },
  package_amount: { label: 'A package costs' },
  free_units: { label: 'Free units', hint: 'None if left empty.' },
  credits_per_unit: { label: 'Credits that a unit takes', hint: '1 if left empty.' },
  overage_unit_amount: { label: 'A credit short costs', hint: 'Nothing if left empty.' },
};

function Prices({ place, charge, currency, change }: PartProps & { currency: string }) {
  const { pricing_model, tiers } = charge;
  return (
    <>
      <Select
        name={`${place}.pricing_model`}
        label="Model"
        hint={MODELS[pricing_model].meaning}
        value={pricing_model}
        options={Object.entries(MODELS).map(([value, { name }]) => ({ value, label: name }))}
        change={(model) => isOneOf(MODELS, model) && change({ ...charge, pricing_model: model })}
      />
      {AMOUNTS[pricing_model].map((field) => (
        <Field
          key={field}
          name={`${place}.${field}`}
          label={
            field.endsWith('amount')
              ? `${AMOUNT_LABELS[field].label}, in ${currency}`
              : AMOUNT_LABELS[field].label
          }
          hint={AMOUNT_LABELS[field].hint}
          keyboard="decimal"
          value={charge[field]}
          change={(amount) => change({ ...charge, [field]: amount })}
        />
      ))}
      {hasTiers(pricing_model) && (
        <TierFields place={place} tiers={tiers} change={(changed) => change({ ...charge, tiers: changed })} />
      )}
    </>
  );
}

function hasTiers(model: PricingModel): boolean {
  return model === 'graduated' || model === 'volume';
}
