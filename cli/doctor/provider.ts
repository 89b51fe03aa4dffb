import type { Config } from '../../src/settings/config.ts';
import { fail, ok, type Check, type Finding } from './check.ts';

const ANSWER_LIMIT_MS = 4000;

/** Whether the provider that people sign in with answers; nothing to check without one. */
export function providerChecks({ oidc }: Config): Check[] {
  if (oidc === null) return [];
  return [
    {
      what: 'OpenID Connect',
      needs: [],
      next_step: 'check OIDC_ISSUER, and the way from this machine to it',
      ask: () => issuerFinding(oidc.issuer),
    },
  ];
}

async function issuerFinding(issuer: string): Promise<Finding> {
  const address = `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
  if (!response.ok) return fail(`${address} responded with the status ${response.status}`);
  const { issuer: named } = (await response.json()) as { issuer?: unknown };
  return named === issuer ? ok(`${issuer} answers`) : fail(`${address} names the issuer ${String(named)}`);
}
