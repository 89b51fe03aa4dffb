import { Context } from '@temporalio/activity';
import { transaction } from '../src/db/connection/pool.ts';
import type { EndpointKey } from '../src/db/webhooks/endpoints.ts';
import { BillingError } from '../src/domain/money/errors.ts';
import { deliverChanges, type DeliverDeps } from '../src/webhooks/deliver.ts';
import { pauseEndpoint, resumeEndpoint } from '../src/webhooks/endpoints.ts';
import { withHeartbeat } from './heartbeat.ts';

/** How long one call sends. A last try may take 15 s more. */
const ACTIVE_MS = 60_000;

export type WebhookActivities = ReturnType<typeof createWebhookActivities>;

/** The activities of webhooks. Histories store the names, so none is ever renamed. Both are safe to run twice. */
export function createWebhookActivities(deps: DeliverDeps) {
  return {
    deliverChanges: ({ may_sleep, ...key }: EndpointKey & { may_sleep: boolean }) => {
      const signal = Context.current().cancellationSignal;
      return withHeartbeat(deliverChanges(deps, key, { active_ms: ACTIVE_MS, may_sleep, signal }));
    },
    changeDeliveries: async ({
      environment_id,
      endpoint_id: id,
      action,
    }: EndpointKey & { action: 'pause' | 'resume' }) => {
      await transaction(deps.pool, async (db) => {
        if (action === 'pause') await pauseEndpoint(db, environment_id, id);
        else await resumeEndpoint(db, environment_id, { id, after: undefined, at: deps.now() });
      }).catch((error: unknown) => {
        // It is in that state already.
        if (!(error instanceof BillingError)) throw error;
      });
    },
  };
}
