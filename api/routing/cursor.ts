import { createHmac, timingSafeEqual } from 'node:crypto';
import { BillingError, invalid } from '../../src/domain/money/errors.ts';
import type { Caller, Deps } from '../http/deps.ts';

const SEAL_BYTES = 16;
const CURSOR_LENGTH_MAX = 1000;

/** A cursor is valid only for this list, with these filters, in the caller's environment. */
export type CursorScope = { caller: Pick<Caller, 'environment_id'>; list: string; filters: object };

/** Holds the secrets of cursors. */
type Signer = Pick<Deps, 'secrets'>;

/**
 * Encodes a list position as a signed cursor, which decodeCursor accepts only for the same environment, list and
 * filters.
 */
export function encodeCursor({ secrets: [secret] }: Signer, scope: CursorScope, position: string): string {
  const text = Buffer.from(position, 'utf8');
  return Buffer.concat([sealOf(secret, scope, text), text]).toString('base64url');
}

/** The position in a cursor of encodeCursor. Throws invalid_request (`bad_cursor`) for anything else. */
export function decodeCursor({ secrets }: Signer, scope: CursorScope, cursor: string): string {
  if (cursor.length > CURSOR_LENGTH_MAX) throw badCursor();
  const bytes = Buffer.from(cursor, 'base64url');
  // Buffer.from skips characters that are not base64url. Comparing with the canonical spelling refuses them.
  if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== cursor) throw badCursor();
  const position = bytes.subarray(SEAL_BYTES);
  const seal = bytes.subarray(0, SEAL_BYTES);
  if (!secrets.some((secret) => timingSafeEqual(seal, sealOf(secret, scope, position)))) throw badCursor();
  return position.toString('utf8');
}

function sealOf(secret: string, { caller, list, filters }: CursorScope, position: Buffer): Buffer {
  const scope = JSON.stringify(['cursor', caller.environment_id, list, filters]);
  return createHmac('sha256', secret)
    .update(scope)
    .update('\0')
    .update(position)
    .digest()
    .subarray(0, SEAL_BYTES);
}

function badCursor(): BillingError {
  return invalid(
    'cursor',
    'bad_cursor',
    'cursor must be the next_cursor of a page of this list with the same filters',
  );
}
