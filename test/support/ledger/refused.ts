import assert from 'node:assert/strict';
import { STATUS } from '../../../api/http/errors.ts';
import type { ErrorCode, Reason } from '../../../src/domain/money/errors.ts';
import type { Received } from '../servers/api.ts';

/** Expected refusal of a request; `param` and `reason` belong to the first detail. */
export type Refusal = { code: ErrorCode; param?: string | null; reason?: Reason };

/** Implementation details that an error must not leak: stack traces, files, SQL, Postgres messages. */
const LEAK = /\bat \w+ \(|node_modules|\.ts\b|select |insert |relation|syntax error|undefined|\[object/i;

/** Checks status, headers and error body, and that the body leaks no implementation details. */
export function assertRefused({ status, headers, body }: Received, expected: Refusal): void {
  assert.equal(status, STATUS[expected.code], JSON.stringify(body));
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(headers.get('www-authenticate'), expected.code === 'unauthorized' ? 'Bearer' : null);
  assert.equal(headers.get('x-powered-by'), null);
  assert.deepEqual(Object.keys(body), ['error']);
  const { error } = body;
  assert.deepEqual(Object.keys(error), ['code', 'message', 'param', 'details', 'request_id']);
  assert.equal(error.code, expected.code);
  assert.equal(error.request_id, headers.get('x-request-id'));
  assert.match(error.request_id, /^req_[0-9a-z]{26}$/);
  assert.ok(error.message.length <= 200, 'the message is short');
  assert.doesNotMatch(JSON.stringify(body), LEAK);
  if (expected.param !== undefined) assert.equal(error.param, expected.param, error.message);
  if (expected.reason !== undefined) assert.equal(error.details[0]?.reason, expected.reason, error.message);
}
