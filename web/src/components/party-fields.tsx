import { useState } from 'preact/hooks';
import type { Address, TaxId } from '../api/objects.ts';
import { Field, Select, useFieldFault, type Values } from './form.tsx';

const ADDRESS_FIELDS = [
  ['line1', 'Street and number'],
  ['line2', 'Second line'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or region'],
  ['country', 'Country'],
] as const;

/** Fields of a postal address; their names begin with `address.`. */
export function AddressFields({ initial = null }: { initial?: Address | null }) {
  return (
    <fieldset>
      <legend>Address</legend>
      {ADDRESS_FIELDS.map(([name, label]) => (
        <Field
          key={name}
          name={`address.${name}`}
          label={label}
          hint={name === 'country' ? 'Two capital letters, such as DE. Required with an address.' : undefined}
          initial={initial?.[name] ?? ''}
        />
      ))}
    </fieldset>
  );
}

/** The address of a form with AddressFields; null if all its fields are empty. */
export function addressOf(values: Values): Partial<Address> | null {
  const parts = ADDRESS_FIELDS.map(([name]) => [name, values[`address.${name}`]?.trim() || null] as const);
  return parts.every(([, part]) => part === null) ? null : Object.fromEntries(parts);
}

const TAX_ID_TYPES: readonly { value: TaxId['type']; label: string }[] = [
  { value: 'eu_vat', label: 'VAT ID of the European Union' },
  { value: 'gb_vat', label: 'VAT number of the United Kingdom' },
  { value: 'ch_uid', label: 'UID of Switzerland' },
  { value: 'us_ein', label: 'EIN of the United States' },
  { value: 'jp_trn', label: 'Registration number of Japan' },
  { value: 'in_gst', label: 'GSTIN of India' },
  { value: 'au_abn', label: 'ABN of Australia' },
  { value: 'other', label: 'Another tax id' },
];

const TAX_IDS_MAX = 5;

/** A row for each tax id, and one more on request. A row without a value counts as removed. */
export function TaxIdFields({ initial = [] }: { initial?: readonly TaxId[] }) {
  const [count, setCount] = useState(Math.max(1, initial.length));
  const fault = useFieldFault('tax_ids');
  return (
    <fieldset name="tax_ids">
      <legend>Tax ids</legend>
      {fault !== null && <p class="field-fault">{fault}</p>}
      {Array.from({ length: count }, (_, index) => (
        <div class="plan-fields" key={index}>
          <Select
            name={`tax_ids[${index}].type`}
            label={`Kind of tax id ${index + 1}`}
            options={TAX_ID_TYPES}
            value={initial[index]?.type ?? 'eu_vat'}
          />
          <Field
            name={`tax_ids[${index}].value`}
            label={`Tax id ${index + 1}`}
            initial={initial[index]?.value ?? ''}
          />
        </div>
      ))}
      {count < TAX_IDS_MAX && (
        <div class="form-buttons">
          <button type="button" onClick={() => setCount(count + 1)}>
            Add a tax id
          </button>
        </div>
      )}
    </fieldset>
  );
}

/** The tax ids of a form with TaxIdFields, without empty rows. */
export function taxIdsOf(values: Values): { type: string; value: string }[] {
  const rows = Array.from({ length: TAX_IDS_MAX }, (_, index) => ({
    type: values[`tax_ids[${index}].type`] ?? '',
    value: values[`tax_ids[${index}].value`]?.trim() ?? '',
  }));
  return rows.filter(({ value }) => value !== '');
}

/** The values of the fields that belong to neither an address nor tax ids. */
export function withoutParty(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !/^(address\.|tax_ids\[)/.test(name)));
}

/** An address in lines, with the code of the country. */
export function AddressText({ address }: { address: Address | null }) {
  if (address === null) return null;
  const { line1, line2, postal_code, city, state, country } = address;
  const place = [postal_code, city].filter((part) => part !== null).join(' ');
  const lines = [line1, line2, place, state, country].filter((line) => line !== null && line !== '');
  return <p class="lines-kept">{lines.join('\n')}</p>;
}

/** Tax ids in lines, each with its kind. */
export function TaxIdText({ tax_ids }: { tax_ids: readonly TaxId[] }) {
  const lines = tax_ids.map(
    ({ type, value }) => `${TAX_ID_TYPES.find((kind) => kind.value === type)?.label}: ${value}`,
  );
  return lines.length === 0 ? null : <p class="lines-kept faint">{lines.join('\n')}</p>;
}
