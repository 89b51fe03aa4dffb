import type { Config } from '../../src/settings/config.ts';
import { isLoopback } from '../../src/settings/networks.ts';

/**
 * The reason why an API with these settings must not start: in production, plain http is for this machine and for a
 * proxy that serves https. Null if it may.
 */
export function plainHttpFault(config: Config): string | null {
  const { is_production, tls_files, trusted_proxies, allow_plain_http, host } = config;
  const is_behind_proxy = trusted_proxies.rules.length > 0;
  if (!is_production || tls_files !== null || is_behind_proxy || allow_plain_http || isLoopback(host))
    return null;
  return (
    `plain http at HOST=${host} is refused in production: set TLS_CERT_FILE and TLS_KEY_FILE, ` +
    'TRUSTED_PROXIES if a proxy serves https, or ALLOW_PLAIN_HTTP=1'
  );
}
