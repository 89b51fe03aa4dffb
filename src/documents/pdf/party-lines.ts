import countries from 'i18n-iso-countries';
import { addressLines, type Address, type TaxId, type TaxIdType } from '../../domain/people/party.ts';
import { writtenTaxId } from '../../domain/people/tax-id.ts';

const LABELS: Readonly<Record<TaxIdType, string>> = {
  eu_vat: 'VAT ID',
  gb_vat: 'VAT number',
  ch_uid: 'UID',
  us_ein: 'EIN',
  jp_trn: 'Registration number',
  in_gst: 'GSTIN',
  au_abn: 'ABN',
  other: 'Tax ID',
};

/** An address as lines below each other, with the English name of the country; empty for no address. */
export function addressText(address: Address | null): string {
  if (address === null) return '';
  const { country } = address;
  const country_lines = country === null ? [] : [countries.getName(country, 'en') ?? country];
  return [...addressLines(address), ...country_lines].join('\n');
}

/** Tax ids below each other, each with the name of its kind and as its country writes it. */
export function taxIdsText(tax_ids: readonly TaxId[]): string {
  return tax_ids.map((id) => `${LABELS[id.type]} ${writtenTaxId(id)}`).join('\n');
}
