import type { Config } from '../../src/config.ts';
import type { Pool } from '../../src/db/pool.ts';
import type { Nudge } from '../../src/temporal.ts';

/** The authenticated caller, by API key or by dashboard session; known before the body is read. */
export type Caller = {
  environment_id: number;
  livemode: boolean;
  /** Id of the key or of the session, for the rate limit and the log. */
  key_id: string;
  kind: 'full' | 'events_only' | 'session';
};

/** Dependencies of an API: createApp takes them, every handler receives them. */
export type Deps = {
  config: Config;
  pool: Pool;
  /** Signs cursors. */
  secret: string;
  nudge: Nudge;
};
