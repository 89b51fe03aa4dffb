import type { Reason } from '../../../src/domain/money/errors.ts';
import { describeBadInput, type BadRequest } from '../../support/sources/bad-input.ts';

const PATH = '/v1/customers';
const GOOD = '{"external_id":"by"}';

function text(
  name: string,
  body: string | Uint8Array,
  reason: Reason,
  param: string | null = null,
): BadRequest {
  return [name, PATH, { method: 'POST', body }, 'invalid_request', param, reason];
}

function typed(name: string, headers: Record<string, string>): BadRequest {
  return [name, PATH, { method: 'POST', body: GOOD, headers }, 'invalid_request', null, 'bad_media_type'];
}

const metadata = (inner: string) => `{"external_id":"by","metadata":${inner}}`;
const nested = (levels: number) => metadata(`${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);
const bytes = (hex: string) =>
  Buffer.concat([Buffer.from('{"external_id":"a'), Buffer.from(hex, 'hex'), Buffer.from('"}')]);

describeBadInput('BY: bodies', [
  ['BY1 no body', PATH, { method: 'POST' }, 'invalid_request', null, 'missing'],
  text('BY1 empty', '', 'missing'),
  text('BY1 blanks', ' \n', 'missing'),
  text('BY2 cut off', '{"a":', 'malformed'),
  text('BY2 bare name', '{a:1}', 'malformed'),
  text('BY2 single quotes', "{'a':1}", 'malformed'),
  text('BY2 trailing comma', '{"a":1,}', 'malformed'),
  text('BY2 leading zero', '{"a":01}', 'malformed'),
  text('BY2 NaN', '{"a":NaN}', 'malformed'),
  text('BY2 two documents', '{}{}', 'malformed'),
  text('BY2 comment', '// c\n{}', 'malformed'),
  text('BY2 byte order mark', `\ufeff${GOOD}`, 'malformed'),
  text('BY3 null', 'null', 'wrong_type'),
  text('BY3 true', 'true', 'wrong_type'),
  text('BY3 1', '1', 'wrong_type'),
  text('BY3 string', '"x"', 'wrong_type'),
  text('BY3 empty array', '[]', 'wrong_type'),
  text('BY3 array', `[${GOOD}]`, 'wrong_type'),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/xml',
    'application/jsonp',
  ].map((type) => typed(`BY4 ${type}`, { 'Content-Type': type })),
  ...['utf-16', 'foo', 'latin1'].map((charset) =>
    typed(`BY5 charset ${charset}`, { 'Content-Type': `application/json; charset=${charset}` }),
  ),
  text('BY6 FF FE', bytes('fffe'), 'malformed'),
  text('BY6 overlong', bytes('c080'), 'malformed'),
  text('BY6 truncated', bytes('e282'), 'malformed'),
  ...['gzip', 'zstd', 'gzip, gzip', 'br'].map((coding) =>
    typed(`BY7 ${coding}`, { 'Content-Encoding': coding }),
  ),
  text('BY8 one byte too large', GOOD.padEnd(1024 * 1024 + 1), 'too_large'),
  text(
    'BY9 100,000 levels',
    metadata('['.repeat(100_000) + ']'.repeat(100_000)),
    'too_deep',
    'metadata[0][0][0]',
  ),
  text('BY9 33 levels', nested(33), 'too_deep', 'metadata.a.a.a'),
  text('BY10 duplicate member', '{"external_id":"a","external_id":"b"}', 'duplicate_member', 'external_id'),
  text('BY11 __proto__', '{"__proto__":{"x":1},"external_id":"a"}', 'not_allowed', '__proto__'),
  text(
    'BY11 constructor',
    '{"constructor":{"prototype":{"x":1}},"external_id":"a"}',
    'unknown_member',
    'constructor',
  ),
  text('BY11 __proto__ inside', metadata('{"__proto__":{"x":1}}'), 'not_allowed', 'metadata.__proto__'),
  ...['foo', 'id', 'account_id', 'livemode', 'status', 'toString'].map((member) =>
    text(`BY12 ${member}`, JSON.stringify({ external_id: 'a', [member]: 1 }), 'unknown_member', member),
  ),
  text('BY13 201 members', metadata(JSON.stringify(membersOf(201))), 'too_many', 'metadata'),
  text(
    'BY13 a string of 64 KiB',
    metadata(JSON.stringify({ a: 'x'.repeat(64 * 1024) })),
    'too_large',
    'metadata',
  ),
  text(
    'BY13 a name of 64 KiB',
    metadata(JSON.stringify({ ['x'.repeat(64 * 1024)]: 1 })),
    'too_large',
    'metadata',
  ),
  text('an inexact number', metadata('{"n":9007199254740993}'), 'not_exact', 'metadata.n'),
  text('a number without end', metadata('{"n":1e400}'), 'not_exact', 'metadata.n'),
  text('NUL inside', metadata('{"n":"\\u0000"}'), 'malformed', 'metadata.n'),
  text('half a character', metadata('{"n":"\\ud800"}'), 'malformed', 'metadata.n'),
]);

function membersOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, index]));
}
