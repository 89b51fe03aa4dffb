import * as oidc from 'openid-client';
import type { OidcSettings } from '../../src/settings/oidc-settings.ts';

/** Claims of a provider about the person who signs in; the members that are used. */
export type Claims = {
  issuer: string;
  subject: string;
  email: unknown;
  email_verified: unknown;
  name: unknown;
  role: unknown;
};

/** Values that a sign-in keeps until the person comes back. */
export type Pending = { state: string; nonce: string; code_verifier: string };

export type Provider = {
  /** The address at the provider to which the browser is sent. Throws if the provider does not answer. */
  begin: (redirect_uri: string, pending: Pending) => Promise<URL>;
  /** The claims of the person whose browser came back to `address`. Throws if anything of it is not as it must be. */
  claims: (address: URL, pending: Pending) => Promise<Claims>;
};

/** Limit of one call of the provider. */
const LIMIT_SECONDS = 10;
const SCOPES = 'openid email profile';

/** New values for one sign-in. */
export function newPending(): Pending {
  return {
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    code_verifier: oidc.randomPKCECodeVerifier(),
  };
}

/** The provider of these settings. Its addresses and keys are asked for at the first use, and again after a failure. */
export function createProvider(settings: OidcSettings): Provider {
  let discovered: Promise<oidc.Configuration> | null = null;
  const configuration = async (): Promise<oidc.Configuration> => {
    discovered ??= discover(settings);
    return discovered.catch((error: unknown) => {
      discovered = null;
      throw error;
    });
  };
  return {
    async begin(redirect_uri, { state, nonce, code_verifier }) {
      const code_challenge = await oidc.calculatePKCECodeChallenge(code_verifier);
      return oidc.buildAuthorizationUrl(await configuration(), {
        redirect_uri,
        scope: SCOPES,
        state,
        nonce,
        code_challenge,
        code_challenge_method: 'S256',
      });
    },
    async claims(address, { state, nonce, code_verifier }) {
      const config = await configuration();
      const tokens = await oidc.authorizationCodeGrant(config, address, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      });
      const of_token = tokens.claims()!;
      const { iss: issuer, sub: subject } = of_token;
      // Some providers put the email and the name only here.
      const more =
        of_token['email'] === undefined && config.serverMetadata().userinfo_endpoint !== undefined
          ? await oidc.fetchUserInfo(config, tokens.access_token, subject)
          : {};
      const said: Record<string, unknown> = { ...more, ...of_token };
      const { role_claim } = settings;
      return {
        issuer,
        subject,
        email: said['email'],
        email_verified: said['email_verified'],
        name: said['name'] ?? said['preferred_username'],
        role: role_claim === null ? undefined : said[role_claim],
      };
    },
  };
}

async function discover({ issuer, client_id, client_secret }: OidcSettings): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  const config = await oidc.discovery(url, client_id, client_secret, undefined, {
    execute: url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    timeout: LIMIT_SECONDS,
  });
  // The signature of the id token is checked, although it comes from the provider directly.
  oidc.enableNonRepudiationChecks(config);
  config.timeout = LIMIT_SECONDS;
  return config;
}
