import { createHmac, timingSafeEqual } from 'node:crypto';
import { BillingError, invalid } from '../../src/domain/errors.ts';
import type { Caller, Deps } from '../http/deps.ts';

const SEAL_BYTES = 16;
const CURSOR_LENGTH_MAX = 1000;

/** What a cursor is good for: one list with these filters, for the callers of one environment. */
export type CursorScope = { caller: Pick<Caller, 'environment_id'>; list: string; filters: object };

/** What signs it. */
type Signer = Pick<Deps, 'secret'>;

/** A position in a list, sealed: it opens for the same environment, list and filters alone. */
export function encodeCursor(deps: Signer, scope: CursorScope, position: string): string {
  const text = Buffer.from(position, 'utf8');
  return Buffer.concat([sealOf(deps, scope, text), text]).toString('base64url');
}

/** The position in a cursor of encodeCursor. Throws bad_cursor for anything else. */
export function decodeCursor(deps: Signer, scope: CursorScope, cursor: string): string {
  if (cursor.length > CURSOR_LENGTH_MAX) throw badCursor();
  const bytes = Buffer.from(cursor, 'base64url');
  // The decoder skips what is not base64url; one position has one spelling.
  if (bytes.length <= SEAL_BYTES || bytes.toString('base64url') !== cursor) throw badCursor();
  const position = bytes.subarray(SEAL_BYTES);
  if (!timingSafeEqual(bytes.subarray(0, SEAL_BYTES), sealOf(deps, scope, position))) throw badCursor();
  return position.toString('utf8');
}

function sealOf(deps: Signer, { caller, list, filters }: CursorScope, position: Buffer): Buffer {
  const scope = JSON.stringify(['cursor', caller.environment_id, list, filters]);
  return createHmac('sha256', deps.secret)
    .update(scope)
    .update('\0')
    .update(position)
    .digest()
    .subarray(0, SEAL_BYTES);
}

function badCursor(): BillingError {
  return invalid('cursor', 'bad_cursor', 'cursor is not one that this list gave out for these filters');
}
