import { Type } from 'typebox';
import { invalid } from '../../src/domain/money/errors.ts';
import { TAX_ID_TYPES, wholeAddress, type Address as WholeAddress } from '../../src/domain/people/party.ts';
import { exactly, oneOf } from '../../src/objects/parts.ts';
import { orNull, PRINTABLE } from './schemas.ts';

/** One line of an address: 1 to 255 characters. */
const AddressLine = Type.Optional(orNull(Type.String(PRINTABLE)));

/** An address as it is sent: `country` is required if any part is given (addressOf). */
export const Address = exactly({
  line1: AddressLine,
  line2: AddressLine,
  postal_code: AddressLine,
  city: AddressLine,
  state: AddressLine,
  country: Type.Optional(
    orNull(
      Type.String({
        maxLength: 2,
        'x-country': true,
        description: 'ISO 3166-1 alpha-2. Required if any other part is given.',
        examples: ['DE'],
      }),
    ),
  ),
});

const TAX_IDS_MAX = 5;

export const TaxIds = Type.Array(
  exactly({
    type: oneOf(TAX_ID_TYPES),
    value: Type.String({
      ...PRINTABLE,
      maxLength: 50,
      'x-tax-id': true,
      description:
        'Must have the form of its type. Stored without blanks, dots and hyphens, in capitals, with the letters of the country; of the type ' +
        '`other` without blanks and dots alone.',
    }),
  }),
  { maxItems: TAX_IDS_MAX, description: `At most ${TAX_IDS_MAX}.` },
);

/** The address with all its members, null if none has a value. Throws invalid_request if the country is missing. */
export function addressOf(parts: Partial<WholeAddress> | null): WholeAddress | null {
  const address = wholeAddress(parts);
  if (address !== null && address.country === null)
    throw invalid('address.country', 'missing', 'address.country is missing: an address needs a country');
  return address;
}
