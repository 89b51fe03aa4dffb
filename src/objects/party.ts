import { Type } from 'typebox';
import { TAX_ID_TYPES } from '../domain/people/party.ts';
import { nullable, oneOf, responseObject } from './parts.ts';

/** contract.md 3. */
export const AddressObject = responseObject('Address', {
  line1: nullable(Type.String()),
  line2: nullable(Type.String()),
  postal_code: nullable(Type.String()),
  city: nullable(Type.String()),
  state: nullable(Type.String()),
  country: nullable(Type.String({ description: 'ISO 3166-1 alpha-2.' })),
});

export const TaxIdObject = responseObject('TaxId', {
  type: oneOf(TAX_ID_TYPES),
  value: Type.String(),
});
