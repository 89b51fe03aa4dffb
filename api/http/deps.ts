import type { Config } from '../../src/config.ts';
import type { Pool } from '../../src/db/pool.ts';
import type { Nudge } from '../../src/temporal.ts';

/** Who asks: found by the key, or by the session of somebody who signed in, before the body is read. */
export type Caller = {
  environment_id: number;
  livemode: boolean;
  /** Or the session's id: whose rate is limited, and whom the log names. */
  key_id: string;
  kind: 'full' | 'events_only' | 'session';
};

/** What the API is made of; createApp takes it, handlers receive it. */
export type Deps = {
  config: Config;
  pool: Pool;
  /** Signs cursors. */
  secret: string;
  nudge: Nudge;
};
