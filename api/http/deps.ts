import type { Config } from '../../src/settings/config.ts';
import type { KeyKind } from '../../src/objects/api-key.ts';
import type { PortalCustomer } from '../../src/db/account/portal-sessions.ts';
import type { SignedInUser } from '../../src/db/account/sessions.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { createLog, type Logger } from '../../src/telemetry/log.ts';
import type { SigningSecrets } from '../../src/settings/signing-secrets.ts';
import type { Nudges } from '../../src/temporal/guarded-nudge.ts';
import { readNewest } from '../../src/db/feed/feed.ts';
import { senderOf, type Sender } from '../../src/webhooks/sender.ts';
import { collectorOf, type Collector } from '../../src/collection/opened.ts';
import { createFeedWatch, type FeedWatch } from './feed-watch.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReceiveMemory, type ReceiveMemory } from './receive-memory.ts';

/** The authenticated caller, by API key, dashboard session or portal link; known before the body is read. */
export type Caller = {
  environment_id: number;
  livemode: boolean;
  /** Id of the key, the session or the portal link, for the rate limit and the log. */
  key_id: string;
  /**
   * Who acts: the id of the key, or of the person of the session. A portal link has its own: it acts once, to end
   * itself.
   */
  actor_id: string;
  kind: KeyKind | 'session' | 'portal';
  /** The person of a session; null for any other. */
  user: SignedInUser | null;
  /** The customer of a portal link; null for any other. */
  customer: PortalCustomer | null;
};

/** The settings and connections that an API is made with. */
export type Settings = Nudges & {
  config: Config;
  pool: Pool;
  /** Pool of DATABASE_READ_URL, for routes that may_lag; null if it is not set. */
  standby_pool: Pool | null;
  /** Secrets that seal cursors. */
  secrets: SigningSecrets;
};

/** Dependencies of an API: every handler receives them. */
export type Deps = Settings & {
  log: Logger;
  /** Child loggers of closeExchange, by method, status and route. */
  request_loggers: Map<string, Logger>;
  metrics: Metrics;
  receive_memory: ReceiveMemory;
  /** Where requests wait for the next change. */
  feed_watch: FeedWatch;
  /** Sends a webhook that a person asks for. */
  sender: Sender;
  /** Asks payment providers. */
  collector: Collector;
};

/** Makes the dependencies of one API. */
export function createDeps(settings: Settings): Deps {
  const { config, pool, secrets } = settings;
  return {
    ...settings,
    log: createLog('api', config.log_level),
    request_loggers: new Map(),
    metrics: createMetrics(pool),
    receive_memory: createReceiveMemory(config.receive_memory_bytes),
    feed_watch: createFeedWatch(() => readNewest(pool)),
    sender: senderOf(pool, config, secrets),
    collector: collectorOf(pool, config, secrets),
  };
}
