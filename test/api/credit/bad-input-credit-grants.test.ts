import type { Reason } from '../../../src/domain/money/errors.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const PATH = '/v1/credit-grants';

function changed(members: object, param: string | null, reason: Reason): BadRequest {
  const body = { customer_id: 'known', amount: 1, ...members };
  return [`L ${JSON.stringify(members)}`, PATH, { method: 'POST', body }, 'invalid_request', param, reason];
}

/** The number goes into the body as text: JavaScript would already round it. */
function amount(text: string, reason: Reason): BadRequest {
  const body = `{"customer_id":"known","amount":${text}}`;
  return [`L2 ${text}`, PATH, { method: 'POST', body }, 'invalid_request', 'amount', reason];
}

function of(title: string, customer_id: string, key: 'test_key' | 'live_key' | 'other_key'): BadRequest {
  const body = { customer_id, amount: 1 };
  return [
    title,
    PATH,
    (api) => ({ method: 'POST', body, key: api[key] }),
    'not_found',
    'customer_id',
    'unknown_customer',
  ];
}

describeBadInput(
  'L: credit grants',
  [
    ['L1 {}', PATH, { method: 'POST', body: {} }, 'invalid_request', 'customer_id', 'missing'],
    changed({ amount: undefined }, 'amount', 'missing'),
    changed({ amount: null }, 'amount', 'wrong_type'),
    changed({ amount: '100' }, 'amount', 'wrong_type'),
    changed({ amount: true }, 'amount', 'wrong_type'),
    changed({ amount: [] }, 'amount', 'wrong_type'),
    amount('0', 'out_of_range'),
    amount('-1', 'out_of_range'),
    amount('-0', 'out_of_range'),
    amount('1e400', 'not_exact'),
    amount('1e19', 'out_of_range'),
    amount('0.0000001', 'out_of_range'),
    amount('9007199254740993', 'not_exact'),
    amount('1000000000000000', 'out_of_range'),
    amount('12345678901.12345', 'out_of_range'),
    changed({ expires_in_days: 0 }, 'expires_in_days', 'out_of_range'),
    changed({ expires_in_days: -1 }, 'expires_in_days', 'out_of_range'),
    changed({ expires_in_days: 1.5 }, 'expires_in_days', 'wrong_type'),
    changed({ expires_in_days: '30' }, 'expires_in_days', 'wrong_type'),
    changed({ expires_in_days: 3651 }, 'expires_in_days', 'out_of_range'),
    changed({ expires_in_days: 2147483648 }, 'expires_in_days', 'out_of_range'),
    changed({ rollover: 'true' }, 'rollover', 'wrong_type'),
    changed({ rollover: 1 }, 'rollover', 'wrong_type'),
    changed({ remaining: 1 }, 'remaining', 'unknown_member'),
    of('L5 unknown', 'unknown', 'test_key'),
    of('L5 in another case', 'KNOWN', 'test_key'),
    of('L5 of the other mode', 'known', 'live_key'),
    of('L5 of another account', 'known', 'other_key'),
    ['L filter: limit 0', `${PATH}?limit=0`, {}, 'invalid_request', 'limit', 'out_of_range'],
    ['L filter: empty', `${PATH}?customer_id=`, {}, 'invalid_request', 'customer_id', 'missing'],
    ['L filter: NUL', `${PATH}?customer_id=%00`, {}, 'invalid_request', 'customer_id', 'malformed'],
    ['L filter: bad escape', `${PATH}?customer_id=%ff`, {}, 'invalid_request', null, 'malformed'],
  ],
  { prepare: ({ post }) => post('/v1/customers', { external_id: 'known' }) },
);
