import { isPricingModel, MODELS } from '../../../../src/domain/pricing/definitions.ts';
import { Field, Select, useFieldFault } from '../../components/form.tsx';
import { isPriced, pricingOf, type DraftCharge } from './plan-draft.ts';
import { FilterFields } from './filter-fields.tsx';
import { AGGREGATIONS, isOneOf } from './models.ts';
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
    return <p class="faint">A chart of the price appears here when the prices are complete.</p>;
  return <PriceCurve title="Price of a period" pricing={pricingOf(charge)} currency={currency} />;
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
            ? 'A name for the charge; a flat charge counts no events.'
            : 'The event_name of the events that the charge counts.'
        }
        placeholder="api_call"
        value={charge.event_name}
        change={(event_name) => change({ ...charge, event_name })}
      />
      <Field
        name={`${place}.name`}
        label="Name on the invoice"
        hint="If empty, a readable form of the event name."
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
        label="Quantity of a period"
        value={charge.aggregation}
        options={Object.entries(AGGREGATIONS).map(([value, label]) => ({ value, label }))}
        change={(type) => isOneOf(AGGREGATIONS, type) && change({ ...charge, aggregation: type })}
      />
      {charge.aggregation !== 'count' && (
        <Field
          name={`${place}.aggregation.property`}
          label="Property"
          hint="The name of a property of the events."
          value={charge.property}
          change={(property) => change({ ...charge, property })}
        />
      )}
      <Field
        name={`${place}.unit_name`}
        label="Unit on the invoice"
        hint="In the plural. If empty, the line item shows events, or only the number."
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

function Prices({ place, charge, currency, change }: PartProps & { currency: string }) {
  const { pricing_model, amounts, tiers } = charge;
  const fields = Object.entries(MODELS[pricing_model].fields);
  return (
    <>
      <Select
        name={`${place}.pricing_model`}
        label="Model"
        hint={MODELS[pricing_model].meaning}
        value={pricing_model}
        options={Object.entries(MODELS).map(([value, { name }]) => ({ value, label: name }))}
        change={(model) => isPricingModel(model) && change({ ...charge, pricing_model: model })}
      />
      {fields.map(([name, field]) =>
        field.kind === 'tiers' ? (
          <TierFields
            key={name}
            place={place}
            tiers={tiers}
            change={(changed) => change({ ...charge, tiers: changed })}
          />
        ) : (
          <Field
            key={name}
            name={`${place}.${name}`}
            label={labelOf(field, currency)}
            hint={hintOf(field)}
            keyboard="decimal"
            value={amounts[name] ?? ''}
            change={(amount) => change({ ...charge, amounts: { ...amounts, [name]: amount } })}
          />
        ),
      )}
    </>
  );
}

type PricingField = (typeof MODELS)['flat']['fields'][string];

function labelOf({ kind, label }: PricingField, currency: string): string {
  if (kind === 'amount') return `${label}, in ${currency}`;
  return kind === 'percent' ? `${label}, in percent` : label;
}

function hintOf({ default: absent }: PricingField): string | undefined {
  if (absent === undefined) return undefined;
  return absent === null || absent === '0' ? 'If empty, none.' : `If empty, ${absent}.`;
}
