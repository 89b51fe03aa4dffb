import type { Reason } from '../../../src/domain/money/errors.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const PATH = '/v1/customers';

/** A new customer with some members changed; an undefined member is omitted. */
function changed(members: object, param: string | null, reason: Reason): BadRequest {
  const body = { external_id: 'h', ...members };
  return [
    JSON.stringify(members).slice(0, 70),
    PATH,
    { method: 'POST', body },
    'invalid_request',
    param,
    reason,
  ];
}

function patched(members: object, param: string | null, reason: Reason): BadRequest {
  const sent = { method: 'PATCH', body: members };
  return [
    `PATCH ${JSON.stringify(members).slice(0, 60)}`,
    `${PATH}/known`,
    sent,
    'invalid_request',
    param,
    reason,
  ];
}

const currencies = ['usd', 'US', '$', 'XXX', 'XTS', 'XAU', 'ZZZ', 'DEM', 'ＵＳＤ', '€'];

describeBadInput(
  'H: customers',
  [
    ['H1 {}', PATH, { method: 'POST', body: {} }, 'invalid_request', 'external_id', 'missing'],
    changed({ tax_treatment: 'free' }, 'tax_treatment', 'not_allowed'),
    changed({ address: { line1: 'Nowhere 1' } }, 'address.country', 'missing'),
    changed({ address: { country: 'XX' } }, 'address.country', 'malformed'),
    changed({ address: 'Nowhere 1' }, 'address', 'wrong_type'),
    changed({ address: { line1: 'x'.repeat(256), country: 'DE' } }, 'address.line1', 'too_long'),
    changed({ tax_ids: [{ type: 'eu_vat', value: 'DE1' }] }, 'tax_ids[0].value', 'malformed'),
    changed({ tax_ids: [{ type: 'eu_vat' }] }, 'tax_ids[0].value', 'missing'),
    changed({ tax_ids: Array(6).fill({ type: 'other', value: '1' }) }, 'tax_ids', 'too_many'),
    changed({ timezone: 'CET+1' }, 'timezone', 'malformed'),
    changed({ net_days: 366 }, 'net_days', 'out_of_range'),
    changed({ net_days: '14' }, 'net_days', 'wrong_type'),
    changed({ buyer_reference: 'a\u0000b' }, 'buyer_reference', 'malformed'),
    patched({ address: { country: null, line1: 'x' } }, 'address.country', 'missing'),
    patched({ tax_ids: [{ type: 'us_ein', value: '1' }] }, 'tax_ids[0].value', 'malformed'),
    changed({ external_id: null }, 'external_id', 'wrong_type'),
    changed({ external_id: '' }, 'external_id', 'missing'),
    changed({ external_id: 1 }, 'external_id', 'wrong_type'),
    changed({ external_id: 'x'.repeat(256) }, 'external_id', 'too_long'),
    changed({ external_id: 'a\u0000' }, 'external_id', 'malformed'),
    changed({ external_id: 'a\n' }, 'external_id', 'malformed'),
    changed({ external_id: '  ' }, 'external_id', 'malformed'),
    changed({ external_id: 'cus_1' }, 'external_id', 'not_allowed'),
    [
      'H2 taken',
      PATH,
      { method: 'POST', body: { external_id: 'known', name: 'Other' } },
      'conflict',
      'external_id',
      'external_id_taken',
    ],
    [
      'H2 taken, other metadata',
      PATH,
      { method: 'POST', body: { external_id: 'known', metadata: { a: 1 } } },
      'conflict',
    ],
    ...currencies.map((currency) => changed({ currency }, 'currency', 'malformed')),
    changed({ currency: 'usd ' }, 'currency', 'too_long'),
    changed({ currency: 'USDX' }, 'currency', 'too_long'),
    changed({ currency: 840 }, 'currency', 'wrong_type'),
    changed({ email: 'a' }, 'email', 'malformed'),
    changed({ email: '@b.c' }, 'email', 'malformed'),
    changed({ email: 'a@b@c' }, 'email', 'malformed'),
    changed({ email: 'a b@c' }, 'email', 'malformed'),
    changed({ email: `${'a'.repeat(10_000)}@` }, 'email', 'too_long'),
    changed({ email: 'a@b.c\r\nBcc: x' }, 'email', 'malformed'),
    changed({ email: 1 }, 'email', 'wrong_type'),
    changed({ email: '' }, 'email', 'malformed'),
    changed({ name: 1 }, 'name', 'wrong_type'),
    changed({ name: 'x'.repeat(10_001) }, 'name', 'too_long'),
    changed({ name: 'a\u0000' }, 'name', 'malformed'),
    changed({ name: '' }, 'name', 'missing'),
    changed({ metadata: [] }, 'metadata', 'wrong_type'),
    changed({ metadata: 'x' }, 'metadata', 'wrong_type'),
    changed({ metadata: { a: 'x'.repeat(100_000) } }, 'metadata', 'too_large'),
    changed({ tax_rate: '-1' }, 'tax_rate', 'out_of_range'),
    changed({ tax_rate: '100.01' }, 'tax_rate', 'out_of_range'),
    changed({ tax_rate: '1e1' }, 'tax_rate', 'malformed'),
    changed({ tax_rate: '.5' }, 'tax_rate', 'malformed'),
    changed({ tax_rate: '' }, 'tax_rate', 'malformed'),
    changed({ tax_rate: true }, 'tax_rate', 'wrong_type'),
    changed({ tax_rate: '0.1234567890123456' }, 'tax_rate', 'out_of_range'),
    patched({ external_id: 'new' }, 'external_id', 'unknown_member'),
    patched({ external_id: 'other' }, 'external_id', 'unknown_member'),
    patched({ currency: 'XAU' }, 'currency', 'malformed'),
    patched({ name: '' }, 'name', 'missing'),
    patched({ email: 'a' }, 'email', 'malformed'),
    patched({ tax_rate: '101' }, 'tax_rate', 'out_of_range'),
    patched({ metadata: 'x' }, 'metadata', 'wrong_type'),
    patched({ metadata: membersOf(101, 'new') }, 'metadata', 'too_many'),
    ['PATCH unknown', `${PATH}/unknown`, { method: 'PATCH', body: {} }, 'not_found', null],
    ['PATCH without a body', `${PATH}/known`, { method: 'PATCH' }, 'invalid_request', null, 'missing'],
    [
      'list: a filter that is not known',
      `${PATH}?name=x`,
      {},
      'invalid_request',
      'name',
      'unknown_parameter',
    ],
    [
      'POST with a parameter',
      `${PATH}?a=1`,
      { method: 'POST', body: { external_id: 'q' } },
      'invalid_request',
      'a',
      'unknown_parameter',
    ],
  ],
  { prepare: ({ post }) => post(PATH, { external_id: 'known', metadata: membersOf(100, 'old') }) },
);

function membersOf(count: number, name: string): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name} ${index}`, index]));
}
