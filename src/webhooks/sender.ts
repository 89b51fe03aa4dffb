import type { Config } from '../settings/config.ts';
import type { Pool } from '../db/connection/pool.ts';
import type { SigningSecrets } from '../settings/signing-secrets.ts';
import type { Reach } from './reachable.ts';

/** The parts with which webhooks are sent. */
export type Sender = {
  pool: Pool;
  /** Under which the secrets of endpoints are encrypted. */
  secrets: SigningSecrets;
  reach: Reach;
  /** The address of the feed, by which receivers tell apart from whom a change comes. */
  source: string;
  /** The clock of the machine, by which tries are timed. */
  now: () => Date;
};

/** Where webhooks may go: outside production to this machine too. */
export function reachOf({ webhook_allowed_networks: allowed, is_production }: Config): Reach {
  return { allowed, is_loopback_allowed: !is_production };
}

/** The sender of a process. */
export function senderOf(pool: Pool, config: Config, secrets: SigningSecrets): Sender {
  const source = `${config.public_url ?? ''}/v1/changes`;
  return { pool, secrets, reach: reachOf(config), source, now: () => new Date() };
}
