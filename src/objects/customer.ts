import { Type } from 'typebox';
import { TAX_TREATMENTS } from '../domain/tax.ts';
import { AddressObject, TaxIdObject } from './party.ts';
import {
  ResponseDecimal,
  ResponseInstant,
  responseObject,
  deletedObject,
  identity,
  Metadata,
  nullable,
  oneOf,
} from './parts.ts';

/** contract.md 3. */
export const CustomerObject = responseObject('Customer', {
  ...identity('customer'),
  external_id: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  currency: Type.String(),
  tax_rate: ResponseDecimal,
  tax_treatment: oneOf(TAX_TREATMENTS),
  address: nullable(AddressObject),
  tax_ids: Type.Array(TaxIdObject),
  buyer_reference: nullable(Type.String()),
  timezone: nullable(Type.String()),
  net_days: nullable(Type.Integer()),
  metadata: Metadata,
  credit_remaining: Type.Number({ description: 'The remaining credit of active grants, in units of usage.' }),
  balance: {
    ...ResponseDecimal,
    description: 'Money in advance, in `currency`, which covers the next invoices.',
  },
  test_clock: nullable({
    ...ResponseInstant,
    description: "The current time of a test customer; null while it is the server's time.",
  }),
});

/** What is left of a deleted customer. */
export const DeletedCustomer = deletedObject('DeletedCustomer', 'customer');
