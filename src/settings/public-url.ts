import type { Config } from './config.ts';

/**
 * The origin in PUBLIC_URL, without a slash at its end. Throws an Error, one sentence, if the text is not http or
 * https, a host and at most a port.
 */
export function publicUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const is_origin =
    url !== null &&
    ['http:', 'https:'].includes(url.protocol) &&
    url.href === `${url.origin}/` &&
    !/[?#]/.test(text);
  if (!is_origin)
    throw new Error(
      `PUBLIC_URL must be an address without a path, such as https://billing.example.com, not "${text}"`,
    );
  return url.origin;
}

/** Whether clients reach the API by https, as PUBLIC_URL says. */
export function isPublicByHttps({ public_url }: Pick<Config, 'public_url'>): boolean {
  return public_url?.startsWith('https:') ?? false;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost', '0.0.0.0', '::'];

/**
 * Address of the dashboard, with a slash at its end: PUBLIC_URL, else where the API listens. The loopback is
 * `localhost`, because passkeys are not for IP addresses.
 */
export function dashboardUrlOf({
  public_url,
  host,
  port,
}: Pick<Config, 'public_url' | 'host' | 'port'>): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${public_url ?? `http://${LOOPBACK.includes(host) ? 'localhost' : name}:${port}`}/`;
}
