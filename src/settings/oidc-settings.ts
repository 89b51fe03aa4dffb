import { ROLES, type Role } from '../domain/people/role.ts';

/** How people sign in with a provider of OpenID Connect. */
export type OidcSettings = {
  issuer: string;
  client_id: string;
  client_secret: string;
  /** Domains whose addresses sign in without an invitation, in lower case. */
  allowed_domains: readonly string[];
  /** The claim that names the role; null: an admin decides. */
  role_claim: string | null;
  /** Roles by value of the claim. */
  roles: ReadonlyMap<string, Role>;
  /** The provider verifies every address, although it does not say so. */
  trusts_email: boolean;
};

type Settings = Readonly<Record<string, string | undefined>>;

const NEEDED = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'] as const;
const OPTIONAL = ['OIDC_ALLOWED_DOMAINS', 'OIDC_ROLE_CLAIM', 'OIDC_ROLES', 'OIDC_TRUST_EMAIL'] as const;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The settings of a provider; null for none. Throws an Error, one sentence, that names the variable and its fault. */
export function oidcSettingsOf(settings: Settings): OidcSettings | null {
  const set = NEEDED.filter((name) => settings[name] !== undefined);
  const missing = NEEDED.filter((name) => settings[name] === undefined);
  const optional = OPTIONAL.find((name) => settings[name] !== undefined);
  if (set.length === 0 && optional === undefined) return null;
  if (missing.length > 0)
    throw new Error(
      `${set[0] ?? optional} is set without ${missing.join(' and ')}; set all of ${NEEDED.join(', ')} or none`,
    );
  if (settings['NODE_ENV'] === 'production' && settings['PUBLIC_URL'] === undefined)
    throw new Error('OIDC_ISSUER needs PUBLIC_URL, the address to which the provider sends people back');
  return {
    issuer: issuerOf(settings['OIDC_ISSUER']!),
    client_id: settings['OIDC_CLIENT_ID']!,
    client_secret: settings['OIDC_CLIENT_SECRET']!,
    allowed_domains: listOf(settings['OIDC_ALLOWED_DOMAINS']).map(domainOf),
    role_claim: settings['OIDC_ROLE_CLAIM'] ?? null,
    roles: rolesOf(settings),
    trusts_email: flagOf(settings['OIDC_TRUST_EMAIL']),
  };
}

function issuerOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const is_safe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  if (url !== null && is_safe && url.search === '' && url.hash === '') return text;
  throw new Error(`OIDC_ISSUER must be an https address such as https://login.example.com, not "${text}"`);
}

function domainOf(text: string): string {
  if (/^[^@\s]+\.[^@\s]+$/.test(text)) return text.toLowerCase();
  throw new Error(
    `OIDC_ALLOWED_DOMAINS must be domains such as example.com, separated by commas, not "${text}"`,
  );
}

function rolesOf({ OIDC_ROLE_CLAIM: claim, OIDC_ROLES: text }: Settings): ReadonlyMap<string, Role> {
  if (text === undefined) return new Map(ROLES.map((role) => [role, role]));
  if (claim === undefined) throw new Error('OIDC_ROLES is set without OIDC_ROLE_CLAIM; set both or neither');
  return new Map(
    listOf(text).map((entry) => {
      const at = entry.lastIndexOf('=');
      const role = ROLES.find((name) => name === entry.slice(at + 1).trim());
      const value = entry.slice(0, at).trim();
      if (at < 1 || value === '' || role === undefined)
        throw new Error(`OIDC_ROLES must be pairs such as billing-admins=admin,fin=finance, not "${entry}"`);
      return [value, role];
    }),
  );
}

function flagOf(text: string | undefined): boolean {
  if (text === undefined || text === '0') return false;
  if (text === '1') return true;
  throw new Error(`OIDC_TRUST_EMAIL must be 0 or 1, not "${text}"`);
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
