import type { IncomingMessage } from 'node:http';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { findEnvironments } from '../../src/db/account/accounts.ts';
import { transaction } from '../../src/db/connection/pool.ts';
import { dashboardPage } from '../../src/objects/dashboard-paths.ts';
import type { OidcSettings } from '../../src/settings/oidc-settings.ts';
import { dashboardUrlOf } from '../../src/settings/public-url.ts';
import { isSecure } from '../access/session-cookie.ts';
import type { Deps } from '../http/deps.ts';
import { answered, newChallenge } from './challenge.ts';
import type { Opening } from './opening.ts';
import { createProvider, newPending, type Claims, type Pending, type Provider } from './provider.ts';
import { userOfClaims, type Refusal } from './provider-user.ts';

const START_PATH = '/dashboard/api/oidc/start';
const CALLBACK_PATH = '/dashboard/api/oidc/callback';
const COOKIE = 'tidemark_oidc';
const PURPOSE = 'sign in by a provider';
const MINUTES = 10;
/** Longest time of a session that a provider opens, in hours: people who left the company are out within a day. */
const SESSION_HOURS = 24;

/** Why nobody is signed in; part of the address `/sign-in?error=`. */
type Failure = Refusal | 'declined' | 'failed' | 'expired';

type Remembered = Pending & { return_to: string };

/** The handlers of a sign-in with a provider: the way there and the way back. */
export function oidcHandlers(
  deps: Deps,
  settings: OidcSettings,
  { open, countFailure }: { open: Opening; countFailure: (request: IncomingMessage) => void },
): readonly { path: string; handle: RouterMiddleware }[] {
  const provider = createProvider(settings);
  const { href: redirect_uri, origin } = new URL(CALLBACK_PATH, dashboardUrlOf(deps.config));
  return [
    {
      path: START_PATH,
      handle: async (ctx) => {
        const { return_to: page } = ctx.query;
        const return_to = typeof page === 'string' ? dashboardPage(page, origin) : '/';
        const pending = newPending();
        const address = await provider.begin(redirect_uri, pending).catch((error: unknown) => {
          deps.log.warn({ error }, 'the provider that people sign in with does not answer');
          return null;
        });
        if (address === null) return leadTo(ctx, failed('failed'));
        remember(ctx, deps, { ...pending, return_to });
        leadTo(ctx, address.href);
      },
    },
    {
      path: CALLBACK_PATH,
      handle: async (ctx) => {
        const remembered = await recalled(ctx, deps);
        ctx.append('Set-Cookie', cookie('', 0, false));
        if (remembered === null) return leadTo(ctx, failed('expired'));
        const { error } = ctx.query;
        if (error !== undefined)
          return leadTo(ctx, failed(error === 'access_denied' ? 'declined' : 'failed'));
        const address = new URL(`${redirect_uri}?${ctx.querystring}`);
        const claims = await claimsOf(deps, provider, { address, remembered });
        // Each try asks the provider, so that an address with many failed ones is limited like one that guesses links.
        if (claims === null) countFailure(ctx.req);
        const failure = claims === null ? 'failed' : await opened(ctx, deps, { settings, claims, open });
        leadTo(ctx, failure === null ? remembered.return_to : failed(failure));
      },
    },
  ];
}

async function claimsOf(
  { log }: Deps,
  provider: Provider,
  { address, remembered }: { address: URL; remembered: Remembered },
): Promise<Claims | null> {
  return provider.claims(address, remembered).catch((error: unknown) => {
    log.warn({ error }, 'a sign-in with the provider has failed');
    return null;
  });
}

/** Opens the session of the person; why not, or null. */
async function opened(
  ctx: RouterContext,
  { pool }: Deps,
  { settings, claims, open }: { settings: OidcSettings; claims: Claims; open: Opening },
): Promise<Failure | null> {
  const environments = await findEnvironments(pool);
  if (environments === null) return 'failed';
  let refusal: Refusal | null = null;
  const session = await open(
    ctx,
    async (db) => {
      const outcome = await userOfClaims(db, environments.live, { settings, claims });
      if ('user_id' in outcome) return outcome.user_id;
      ({ refusal } = outcome);
      return null;
    },
    SESSION_HOURS,
  );
  return session === null ? (refusal ?? 'failed') : null;
}

/** Stores the values that the sign-in needs when the person comes back. Lax: the way back begins at another site. */
function remember(ctx: RouterContext, deps: Deps, remembered: Remembered): void {
  const contents = JSON.stringify(remembered);
  const sealed = newChallenge(deps, { purpose: PURPOSE, minutes: MINUTES, contents }).toString('base64url');
  ctx.append('Set-Cookie', cookie(sealed, MINUTES * 60, isSecure(deps.config, ctx.req)));
}

/** The values of `remember`, once; null if there are none, or they are too old, or were used. */
async function recalled(ctx: RouterContext, deps: Deps): Promise<Remembered | null> {
  const challenge = ctx.cookies.get(COOKIE);
  if (challenge === undefined) return null;
  const contents = await transaction(deps.pool, (db) => answered(deps, db, { challenge, purpose: PURPOSE }));
  return contents === null ? null : (JSON.parse(contents) as Remembered);
}

function cookie(value: string, seconds: number, is_secure: boolean): string {
  const text = `${COOKIE}=${value}; Path=/dashboard/api/oidc; Max-Age=${seconds}; HttpOnly; SameSite=Lax`;
  return is_secure ? `${text}; Secure` : text;
}

function failed(failure: Failure): string {
  return `/sign-in?error=${failure}`;
}

function leadTo(ctx: RouterContext, address: string): void {
  ctx.status = 303;
  ctx.set('Location', address);
  ctx.body = '';
}
