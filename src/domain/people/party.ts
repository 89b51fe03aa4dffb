/** A postal address; `country` is ISO 3166-1 alpha-2, which every address that a client sends has (addressOf). */
export type Address = {
  line1: string | null;
  line2: string | null;
  postal_code: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
};

export const TAX_ID_TYPES = [
  'eu_vat',
  'gb_vat',
  'ch_uid',
  'us_ein',
  'jp_trn',
  'in_gst',
  'au_abn',
  'other',
] as const;

export type TaxIdType = (typeof TAX_ID_TYPES)[number];

/** `value` has no blanks and no dots; but for the type `other` no hyphens, and capitals alone. */
export type TaxId = { type: TaxIdType; value: string };

const NO_ADDRESS: Address = {
  line1: null,
  line2: null,
  postal_code: null,
  city: null,
  state: null,
  country: null,
};

/** An address with all six members; null if none of them has a value. */
export function wholeAddress(parts: Partial<Address> | null): Address | null {
  const address = { ...NO_ADDRESS, ...parts };
  return Object.values(address).every((part) => part === null) ? null : address;
}

/** The lines that a document prints, without the country. */
export function addressLines({ line1, line2, postal_code, city, state }: Address): string[] {
  const place = [postal_code, city].filter((part) => part !== null).join(' ');
  return [line1, line2, place, state].filter((line) => line !== null && line !== '') as string[];
}
