import type { RouterContext } from '@koa/router';
import { takeEvent, type IntentOfEvent } from '../../src/collection/events.ts';
import { invoiceOfIntent } from '../../src/db/collection/open-attempts.ts';
import { receiveBody } from '../http/body.ts';
import type { Deps } from '../http/deps.ts';
import { unauthorized } from '../http/errors.ts';
import { exchangeOf } from '../http/exchange.ts';

const PATH = '/provider-webhooks/{id}';
const BYTES_MAX = 256 * 1024;

/** Handlers of what a payment provider posts, outside /v1: its signature is all that admits it. */
export function providerWebhookHandlers(deps: Deps) {
  const handle = async (ctx: RouterContext): Promise<void> => {
    exchangeOf(ctx.res).route = PATH;
    const body = (await receiveBody(ctx.res, BYTES_MAX)) ?? Buffer.alloc(0);
    const signature = ctx.get('Stripe-Signature');
    const taken = await takeEvent(deps.collector, { provider_id: ctx.params['id'] ?? '', body, signature });
    // The same for an unknown provider: nobody finds out which there are.
    if (taken === null) throw unauthorized();
    if (taken.intent !== null) await wakeCharge(deps, taken.intent);
    ctx.body = { received: true };
  };
  return [{ path: PATH, method: 'post' as const, handle }];
}

/** Has the charge of an event read at once. */
async function wakeCharge({ pool, wakeCollections }: Deps, intent: IntentOfEvent): Promise<void> {
  const invoice = await invoiceOfIntent(pool, intent);
  if (invoice !== null) void wakeCollections([invoice]);
}
