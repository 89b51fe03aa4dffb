import type { BilledCustomer, Seller } from '../../objects/invoice.ts';
import type { Address, TaxId } from '../../domain/people/party.ts';
import type { XmlElement } from './xml.ts';

/** The seller with its ids (billing.md 9): a VAT id, a registration, and what remains as plain identifiers. */
export function seller({ name, address, tax_ids }: Seller): XmlElement {
  const { vat, registration, further } = sorted(tax_ids, address);
  return {
    'cac:PartyIdentification': further.map((value) => ({ 'cbc:ID': value })),
    'cac:PostalAddress': postalAddress(address),
    'cac:PartyTaxScheme': [...taxScheme(vat, 'VAT'), ...taxScheme(registration, 'TAX')],
    'cac:PartyLegalEntity': legalEntity(name, registration),
  };
}

/** The buyer: your `external_id` is its identifier. A party's other ids have no place there. */
export function buyer({ external_id, name, email, address, tax_ids }: BilledCustomer): XmlElement {
  const { vat, registration } = sorted(tax_ids, address);
  return {
    'cac:PartyIdentification': { 'cbc:ID': external_id },
    'cac:PostalAddress': postalAddress(address),
    'cac:PartyTaxScheme': taxScheme(vat, 'VAT'),
    'cac:PartyLegalEntity': legalEntity(name ?? external_id, registration),
    'cac:Contact': email === null ? undefined : { 'cbc:ElectronicMail': email },
  };
}

function legalEntity(name: string, registration: string | null): XmlElement {
  return { 'cbc:RegistrationName': name, 'cbc:CompanyID': registration ?? undefined };
}

/** `TAX` stands for any scheme that is not VAT. */
function taxScheme(id: string | null, scheme: 'VAT' | 'TAX'): XmlElement[] {
  return id === null ? [] : [{ 'cbc:CompanyID': id, 'cac:TaxScheme': { 'cbc:ID': scheme } }];
}

function postalAddress(address: Address | null): XmlElement {
  const { line1, line2, city, postal_code, state, country } = address ?? {};
  return {
    'cbc:StreetName': line1 ?? undefined,
    'cbc:AdditionalStreetName': line2 ?? undefined,
    'cbc:CityName': city ?? undefined,
    'cbc:PostalZone': postal_code ?? undefined,
    'cbc:CountrySubentity': state ?? undefined,
    'cac:Country': { 'cbc:IdentificationCode': countryCode(country ?? '') },
  };
}

/** The code list of EN 16931 has Kosovo as 1A, not as XK. */
function countryCode(country: string): string {
  return country === 'XK' ? '1A' : country;
}

type Ids = { vat: string | null; registration: string | null; further: string[] };

/** The ids by kind: of several VAT ids, the one of the address' country; else, and of other ids, the first. */
function sorted(tax_ids: readonly TaxId[], address: Address | null): Ids {
  const vat_ids = tax_ids.filter(isVatId).map(({ value }) => value);
  const other_ids = tax_ids.filter((id) => !isVatId(id)).map(({ value }) => value);
  const prefix = vatPrefix(address?.country ?? '');
  const vat = vat_ids.find((value) => value.startsWith(prefix)) ?? vat_ids[0] ?? null;
  const [registration = null, ...more] = other_ids;
  return { vat, registration, further: [...vat_ids.filter((value) => value !== vat), ...more] };
}

/** A VAT id begins with the code of its country. A UID is one with the ending of the Swiss VAT register only. */
function isVatId({ type, value }: TaxId): boolean {
  return type === 'eu_vat' || type === 'gb_vat' || (type === 'ch_uid' && /(?:MWST|TVA|IVA)$/.test(value));
}

function vatPrefix(country: string): string {
  return country === 'GR' ? 'EL' : country;
}
