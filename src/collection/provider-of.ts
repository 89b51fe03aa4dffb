import type { Pool } from '../db/connection/pool.ts';
import type { SigningSecrets } from '../settings/signing-secrets.ts';
import type { Collector } from './collect.ts';

export function providersOf(_pool: Pool, _secrets: SigningSecrets): Collector['providerOf'] {
  return async () => null;
}
