import type { Charge } from '../../api/objects.ts';
import { Select, useFieldFault } from '../../components/form.tsx';
import { ChargePrice } from './charge-fields.tsx';
import type { DraftOverride } from './custom-draft.ts';
import { hasPrices } from './plan-draft.ts';
import { PriceListFields } from './price-list-fields.tsx';

type OverrideProps = {
  /** The place in `overrides` of the request; null while the price is the base's. */
  place: number | null;
  /** The charge of the base. */
  of: Charge;
  override: DraftOverride;
  currency: string;
  change: (override: DraftOverride) => void;
};

const PRICES = [
  { value: 'base', label: 'as in the base' },
  { value: 'own', label: 'another one' },
];

/** The price of a charge of a custom plan. */
export function OverrideFields({ place, of, override, currency, change }: OverrideProps) {
  const { is_own, charge } = override;
  const name = `overrides[${place}]`;
  const what = of.name ?? of.event_name;
  const fault = useFieldFault(name);
  const parts = { place: name, charge, currency };
  const changeCharge = (changed: typeof charge) => change({ is_own, charge: changed });
  return (
    <fieldset class="charge" name={name} aria-invalid={fault !== null} tabIndex={-1}>
      <legend>{what}</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      <div class="columns">
        <div class="stack">
          <Select
            name={`${what} has a price`}
            label={`Price of ${what}`}
            options={PRICES}
            value={is_own ? 'own' : 'base'}
            change={(chosen) => change({ is_own: chosen === 'own', charge })}
          />
        </div>
        <div class="stack">{is_own && <ChargePrice {...parts} change={changeCharge} />}</div>
      </div>
      {is_own && hasPrices(charge) && <PriceListFields {...parts} change={changeCharge} />}
    </fieldset>
  );
}
