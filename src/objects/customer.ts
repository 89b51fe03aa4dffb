import { Type } from 'typebox';
import { ResponseDecimal, ResponseInstant, responseObject, identity, Metadata, nullable } from './parts.ts';

/** contract.md 3. */
export const CustomerObject = responseObject('Customer', {
  ...identity('customer'),
  external_id: Type.String(),
  name: nullable(Type.String()),
  email: nullable(Type.String()),
  currency: Type.String(),
  tax_rate: ResponseDecimal,
  metadata: Metadata,
  credit_remaining: Type.Number({ description: 'The remaining credit of active grants, in units of usage.' }),
  test_clock: nullable({
    ...ResponseInstant,
    description: "The current time of a test customer; null while it is the server's time.",
  }),
});
