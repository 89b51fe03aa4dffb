import {
  attemptWaitSeconds,
  listConnected,
  type ConnectedProvider,
} from '../../src/db/collection/provider-troubles.ts';
import type { Pool } from '../../src/db/connection/pool.ts';
import { ok, warn, type Check, type Finding } from './check.ts';

const PROVIDERS_SHOWN_MAX = 4;
/** Age of an attempt that waits, as in the alert. */
const ATTEMPT_LATE_SECONDS = 3600;

/** Checks of payment providers and of charges, which need those of `needs`. */
export function paymentChecks(db: () => Pool, needs: readonly string[]): Check[] {
  return [
    {
      what: 'payment provider',
      needs,
      next_step: 'correct it in Settings, Payments, or by the command providers update',
      ask: async () => providerFinding(await listConnected(db(), PROVIDERS_SHOWN_MAX + 1)),
    },
    {
      what: 'charges',
      needs,
      next_step: 'check that the payment provider answers and a worker is running, and read its log',
      ask: async () => chargesFinding(await attemptWaitSeconds(db())),
    },
  ];
}

function providerFinding(providers: readonly ConnectedProvider[]): Finding {
  if (providers.length === 0) return ok('none is connected');
  const shown = providers.slice(0, PROVIDERS_SHOWN_MAX);
  const more = providers.length > PROVIDERS_SHOWN_MAX ? ['and others'] : [];
  const detail = [...shown.map(sentenceOf), ...more].join('; ');
  return providers.some((provider) => faultOf(provider) !== null) ? warn(detail) : ok(detail);
}

function sentenceOf(provider: ConnectedProvider): string {
  const { account, environment } = provider;
  const fault = faultOf(provider);
  return `${account} (${environment})${fault === null ? '' : `: ${fault}`}`;
}

/** The fault of a provider in words; null where it takes the key and its events arrive. */
function faultOf({ status_reason, webhook_url, takes_events }: ConnectedProvider): string | null {
  if (status_reason !== null) return `it refuses requests or does not answer: ${status_reason}`;
  if (!webhook_url.startsWith('https:'))
    return `it posts its events by https alone, and they would come to ${webhook_url}`;
  return takes_events ? null : `its events are refused until their secret is set`;
}

function chargesFinding(seconds: number): Finding {
  return seconds <= ATTEMPT_LATE_SECONDS
    ? ok('none waits for its provider')
    : warn(`the oldest has waited for its provider for ${Math.round(seconds)} s`);
}
