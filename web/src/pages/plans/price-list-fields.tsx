import type { ComponentChildren } from 'preact';
import { Disclosure } from '../../components/disclosure.tsx';
import { useFieldFault } from '../../components/form.tsx';
import { ConditionFields } from './condition-fields.tsx';
import { withItem, withoutItem } from './draft-parts.ts';
import { PRICES_MAX, pricesLeft, type DraftCharge } from './plan-draft.ts';
import { newPrice, type DraftPricing } from './price-draft.ts';
import { PriceFields, PricePreview } from './price-fields.tsx';

type PriceListFieldsProps = {
  /** The path of the charge in the request, as in charges[0]. */
  place: string;
  charge: DraftCharge;
  currency: string;
  change: (charge: DraftCharge) => void;
};

/** The prices of a charge by the values of properties, the one for all other events last. */
export function PriceListFields({ place, charge, currency, change }: PriceListFieldsProps) {
  const { prices, has_default, pricing_model } = charge;
  const name = `${place}.prices`;
  const fault = useFieldFault(name);
  const parts = { pricing_model, currency };
  return (
    <fieldset name={name} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>Prices by the values of properties</legend>
      <p class="hint">
        Each price is a line item of its own, with tiers and free units of its own. No event may have two
        prices.
      </p>
      {fault !== null && <p class="field-fault">{fault}</p>}
      {prices.map((price, index) => (
        <PriceRow
          key={price.key}
          {...parts}
          place={`${name}[${index}]`}
          legend={`Price ${index + 1}`}
          pricing={price}
          change={(pricing) =>
            change({ ...charge, prices: withItem(prices, index, { ...price, ...pricing }) })
          }
          remove={
            prices.length === 1 ? null : () => change({ ...charge, prices: withoutItem(prices, index) })
          }
        >
          <ConditionFields
            name={`${name}[${index}].match`}
            legend="Price for"
            hint="Events with one of the given values of each property."
            conditions={price.match}
            least={1}
            change={(match) => change({ ...charge, prices: withItem(prices, index, { ...price, match }) })}
          />
        </PriceRow>
      ))}
      {has_default && (
        <PriceRow
          {...parts}
          place={`${name}[${prices.length}]`}
          legend="Price for all others"
          pricing={charge}
          change={(pricing) => change({ ...charge, ...pricing })}
          remove={() => change({ ...charge, has_default: false })}
        >
          <p class="hint">All events that no price above is for, also those without the property.</p>
        </PriceRow>
      )}
      {!has_default && <p>Events that no price is for are not billed: they are unrated.</p>}
      <AddPrice charge={charge} change={change} />
    </fieldset>
  );
}

function AddPrice({ charge, change }: Pick<PriceListFieldsProps, 'charge' | 'change'>) {
  const { prices, has_default } = charge;
  const is_full = pricesLeft(charge) === 0;
  return (
    <div class="form-buttons">
      <button
        type="button"
        disabled={is_full}
        onClick={() => change({ ...charge, prices: [...prices, newPrice()] })}
      >
        Add a price
      </button>
      {!has_default && (
        <button type="button" disabled={is_full} onClick={() => change({ ...charge, has_default: true })}>
          Add a price for all others
        </button>
      )}
      {is_full && <span class="faint">A charge may have {PRICES_MAX} prices.</span>}
    </div>
  );
}

type PriceRowProps = Pick<DraftCharge, 'pricing_model'> & {
  place: string;
  legend: string;
  pricing: DraftPricing;
  currency: string;
  change: (pricing: DraftPricing) => void;
  remove: (() => void) | null;
  /** Fields for the events that the price is for. */
  children: ComponentChildren;
};

function PriceRow({ legend, remove, children, ...fields }: PriceRowProps) {
  const fault = useFieldFault(fields.place);
  return (
    <fieldset class="price" name={fields.place} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>{legend}</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      <div class="columns">
        <div class="stack">{children}</div>
        <div class="stack">
          <PriceFields {...fields} />
          <Disclosure summary="Chart">
            <PricePreview {...fields} />
          </Disclosure>
        </div>
      </div>
      <div class="form-buttons">
        <button type="button" disabled={remove === null} onClick={() => remove?.()}>
          Remove<span class="unseen"> {legend}</span>
        </button>
      </div>
    </fieldset>
  );
}
