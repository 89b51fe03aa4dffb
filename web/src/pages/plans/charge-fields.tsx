import {
  isListedModel,
  isMetered,
  isPricingModel,
  MODELS,
} from '../../../../src/domain/pricing/definitions.ts';
import { Field, Select, useFieldFault } from '../../components/form.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { GroupFields } from './group-fields.tsx';
import { AGGREGATIONS, isOneOf } from './models.ts';
import { hasPrices, type DraftCharge } from './plan-draft.ts';
import { PriceFields, PricePreview } from './price-fields.tsx';
import { PriceListFields } from './price-list-fields.tsx';

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
  return (
    <fieldset class="charge" name={place} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>Charge {index + 1}</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      <div class="columns">
        <div class="stack">
          <Names {...{ place, charge, change }} />
          {isMetered(charge) && <Selection {...{ place, charge, change }} />}
        </div>
        <div class="stack">
          <Prices {...{ place, charge, currency, change }} />
        </div>
      </div>
      {hasPrices(charge) && <PriceListFields {...{ place, charge, currency, change }} />}
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

type PartProps = { place: string; charge: DraftCharge; change: (charge: DraftCharge) => void };

function Names({ place, charge, change }: PartProps) {
  return (
    <>
      <Field
        name={`${place}.event_name`}
        label="Event name"
        hint={
          isMetered(charge)
            ? 'The event_name of the events that the charge counts.'
            : 'A name for the charge; a flat charge counts no events.'
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
      <ConditionFields
        name={`${place}.filters`}
        legend="Filters"
        hint={
          charge.filters.length === 0
            ? 'All events with this name count.'
            : 'An event counts if each property has one of the given values.'
        }
        conditions={charge.filters}
        least={0}
        change={(filters) => change({ ...charge, filters })}
      />
    </>
  );
}

function Prices(props: PartProps & { currency: string }) {
  const { place, charge, change } = props;
  return (
    <>
      <ChargePrice {...props} />
      {isListedModel(charge.pricing_model) && (
        <GroupFields
          place={place}
          group_by={charge.group_by}
          change={(names) => change({ ...charge, group_by: names })}
        />
      )}
    </>
  );
}

/** The model of a charge and, unless it has a list, its price. */
export function ChargePrice({ place, charge, currency, change }: PartProps & { currency: string }) {
  const { pricing_model, is_listed } = charge;
  const parts = { pricing_model, pricing: charge, currency };
  const may_be_listed = isListedModel(pricing_model);
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
      {may_be_listed && (
        <Select
          name={`${place} has prices`}
          label="Prices"
          value={is_listed ? 'listed' : 'one'}
          options={[
            { value: 'one', label: 'One for all events' },
            { value: 'listed', label: 'By the values of properties' },
          ]}
          change={(chosen) => change({ ...charge, is_listed: chosen === 'listed' })}
        />
      )}
      {!hasPrices(charge) && (
        <>
          <PriceFields {...parts} place={place} change={(pricing) => change({ ...charge, ...pricing })} />
          {isMetered(charge) && <PricePreview {...parts} />}
        </>
      )}
    </>
  );
}
