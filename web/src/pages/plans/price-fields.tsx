import { MODELS, type PricingModel } from '../../../../src/domain/pricing/definitions.ts';
import { Field, Select } from '../../components/form.tsx';
import { fieldsOf, isPriced, type DraftPricing } from './price-draft.ts';
import { PriceCurve } from './price-curve.tsx';
import { TierFields } from './tier-fields.tsx';

type PriceFieldsProps = {
  /** The path of the price in the request: of a charge, or of a price in its list. */
  place: string;
  pricing_model: PricingModel;
  pricing: DraftPricing;
  currency: string;
  change: (pricing: DraftPricing) => void;
};

/** The fields of a price, as its model has them. */
export function PriceFields(props: PriceFieldsProps) {
  return (
    <>
      {Object.entries(MODELS[props.pricing_model].fields).map(([name, field]) => (
        <PriceField key={name} {...props} name={name} field={field} />
      ))}
    </>
  );
}

type PriceFieldProps = PriceFieldsProps & { name: string; field: PricingField };

function PriceField({ place, pricing, currency, change, name, field }: PriceFieldProps) {
  const { amounts, tiers } = pricing;
  const changeTo = (amount: string) => change({ tiers, amounts: { ...amounts, [name]: amount } });
  if (field.kind === 'tiers')
    return (
      <TierFields place={place} tiers={tiers} change={(changed) => change({ amounts, tiers: changed })} />
    );
  if (field.choices !== undefined)
    return (
      <Select
        name={`${place}.${name}`}
        label={field.label}
        value={amounts[name] ?? field.default ?? ''}
        change={changeTo}
        options={[
          ...(field.default === null ? [{ value: '', label: 'nothing' }] : []),
          ...Object.entries(field.choices).map(([value, label]) => ({ value, label })),
        ]}
      />
    );
  return (
    <Field
      name={`${place}.${name}`}
      label={labelOf(field, currency)}
      hint={hintOf(field)}
      keyboard="decimal"
      value={amounts[name] ?? ''}
      change={changeTo}
    />
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

type PricePreviewProps = Pick<PriceFieldsProps, 'pricing_model' | 'pricing' | 'currency'>;

/** The curve of a price that is being written, once its fields are filled in. */
export function PricePreview({ pricing_model, pricing, currency }: PricePreviewProps) {
  if (!isPriced(pricing_model, pricing))
    return <p class="faint">A chart of the price appears here when the prices are complete.</p>;
  const sent_pricing = { pricing_model, ...fieldsOf(pricing_model, pricing) };
  return <PriceCurve title="Price of a period" pricing={sent_pricing} currency={currency} />;
}
