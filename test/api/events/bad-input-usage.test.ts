import type { Reason } from '../../../src/domain/money/errors.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const REPORT = '/v1/usage-report';
const USAGE = '/v1/customers/known/usage';
const LINE_EVENTS = '/v1/invoices/inv_x/line-items/li_x/events';
const RANGE = 'from=2026-01-01&to=2026-01-02';

function get(path: string, query: string, param: string | null, reason: Reason): BadRequest {
  return [`${path} ${query}`.slice(0, 100), `${path}?${query}`, {}, 'invalid_request', param, reason];
}

function nothing(path: string, method = 'GET'): BadRequest {
  return [`${method} ${path}`.slice(0, 100), path, { method }, 'not_found', null];
}

function ofOthers(path: string): BadRequest[] {
  return (['live_key', 'other_key'] as const).map((key) => [
    `${path} with the ${key}`,
    path,
    (api) => ({ key: api[key] }),
    'not_found',
    null,
  ]);
}

/** Invalid query parameters that every path refuses. */
function ofEvery(path: string, range: string): BadRequest[] {
  const begun = range === '' ? '' : `${range}&`;
  return [
    get(path, `${begun}foo=1`, 'foo', 'unknown_parameter'),
    get(path, `${begun}__proto__=1`, '__proto__', 'unknown_parameter'),
    get(path, `${begun}a=%ff`, null, 'malformed'),
    get(path, `${begun}${Array(2000).fill('a=1').join('&')}`, null, 'too_many'),
  ];
}

const INSTANTS = ['now', 'infinity', '2026-02-30', '1969-12-31', '2026-01-01T24:00', '1767225600', '%00'];

function ofRange(path: string, rest: string): BadRequest[] {
  return [
    ...INSTANTS.map((text) => get(path, `from=${text}&to=2026-01-02${rest}`, 'from', 'malformed')),
    ...INSTANTS.map((text) => get(path, `from=2026-01-01&to=${text}${rest}`, 'to', 'malformed')),
    get(path, `from=&to=2026-01-02${rest}`, 'from', 'missing'),
    get(path, `from=2026-01-01&to=${rest}`, 'to', 'missing'),
    get(path, `from=2026-01-01&from=2026-01-01&to=2026-01-02${rest}`, 'from', 'duplicate_member'),
    get(path, `from=2026-01-02&to=2026-01-01${rest}`, 'from', 'out_of_order'),
    get(path, `from=2026-01-01T00:00:00.001Z&to=2026-01-01${rest}`, 'from', 'out_of_order'),
  ];
}

const IDS = ['unknown', 'cg_x', '__proto__', 'a%00b', '%ff', '-1', `'%20or%20'1'='1`, 'x'.repeat(300)];

describeBadInput(
  'usage, usage report, events of a line item, void of a grant',
  [
    ...ofEvery(REPORT, RANGE),
    ...ofRange(REPORT, ''),
    get(REPORT, 'to=2026-01-02', 'from', 'missing'),
    get(REPORT, 'from=2026-01-01', 'to', 'missing'),
    get(REPORT, '', 'from', 'missing'),
    get(REPORT, 'from=2026-01-01&to=2026-02-01T00:00:00.001Z', 'to', 'out_of_range'),
    get(REPORT, 'from=1970-01-01&to=9999-12-31', 'to', 'out_of_range'),
    get(REPORT, `${RANGE}&customer_id=`, 'customer_id', 'missing'),
    get(REPORT, `${RANGE}&customer_id=${'x'.repeat(256)}`, 'customer_id', 'too_long'),
    get(REPORT, `${RANGE}&customer_id=%00`, 'customer_id', 'malformed'),
    get(REPORT, `${RANGE}&limit=201`, 'limit', 'out_of_range'),
    get(REPORT, `${RANGE}&group_by=hour`, 'group_by', 'not_allowed'),
    get(REPORT, `${RANGE}&cursor=x`, 'cursor', 'bad_cursor'),
    nothing(`${REPORT}/`),
    nothing(REPORT, 'POST'),

    ...ofEvery(USAGE, ''),
    ...ofRange(USAGE, ''),
    ...ofRange(USAGE, '&group_by=day'),
    get(USAGE, 'from=1970-01-01&to=9999-12-31', 'to', 'out_of_range'),
    get(USAGE, 'from=9999-01-01', 'from', 'out_of_order'),
    ...['%20', '%00', '%0a'].map((name) => get(USAGE, `event_name=${name}`, 'event_name', 'malformed')),
    get(USAGE, 'event_name=', 'event_name', 'missing'),
    get(USAGE, `event_name=${'x'.repeat(256)}`, 'event_name', 'too_long'),
    ...[
      'week',
      'Day',
      'day+',
      'days',
      'property',
      'property:',
      'property:%00',
      'property:a%0ab',
      'region',
    ].map((group_by) => get(USAGE, `group_by=${group_by}`, 'group_by', 'malformed')),
    get(USAGE, `group_by=property:${'x'.repeat(256)}`, 'group_by', 'malformed'),
    get(USAGE, 'group_by=', 'group_by', 'missing'),
    get(USAGE, 'group_by=day&group_by=hour', 'group_by', 'duplicate_member'),
    ...['', '&group_by=hour', '&group_by=property:a'].map((group_by) =>
      get(USAGE, `timezone=Europe/Berlin${group_by}`, 'timezone', 'not_allowed'),
    ),
    get(USAGE, 'group_by=day&timezone=Nowhere', 'timezone', 'malformed'),
    get(USAGE, 'group_by=day&timezone=', 'timezone', 'missing'),
    get(USAGE, 'cursor=x', 'cursor', 'bad_cursor'),
    ...IDS.map((id) => nothing(`/v1/customers/${id}/usage`)),
    ...ofOthers(USAGE),
    nothing(`${USAGE}/`),
    nothing(USAGE, 'POST'),

    ...ofEvery(LINE_EVENTS, ''),
    ...['0', '201', '-1', '1.5', 'x', '', '01'].map((limit): BadRequest => [
      `${LINE_EVENTS} limit ${limit}`,
      `${LINE_EVENTS}?limit=${limit}`,
      {},
      'invalid_request',
      'limit',
    ]),
    get(LINE_EVENTS, 'limit=5&limit=6', 'limit', 'duplicate_member'),
    get(LINE_EVENTS, 'from=2026-01-01', 'from', 'unknown_parameter'),
    ...IDS.map((id) => nothing(`/v1/invoices/${id}/line-items/${id}/events`)),
    nothing(LINE_EVENTS, 'POST'),
    nothing(LINE_EVENTS.replace('/events', '')),

    ...IDS.map((id) => nothing(`/v1/credit-grants/${id}/void`, 'POST')),
    nothing('/v1/credit-grants/cg_x/void'),
    ...['{"reason":"x"}', '[]', '1'].map((body): BadRequest => [
      `void with the body ${body}`,
      '/v1/credit-grants/cg_x/void',
      { method: 'POST', body },
      'invalid_request',
    ]),
    [
      'void with a parameter',
      '/v1/credit-grants/cg_x/void?a=1',
      { method: 'POST' },
      'invalid_request',
      'a',
      'unknown_parameter',
    ],
  ],
  { prepare: ({ post }) => post('/v1/customers', { external_id: 'known' }) },
);
