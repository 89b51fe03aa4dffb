import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RouterContext } from '@koa/router';
import { send } from '@koa/send';
import type { Context } from 'koa';
import { DASHBOARD_PATHS } from '../../src/objects/dashboard-paths.ts';
import { notFoundError } from '../http/errors.ts';

/** Output of `vite build`. */
const BUILT = fileURLToPath(new URL('../../web/dist', import.meta.url));
const YEAR_MS = 31_536_000_000;

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors ";

const NOT_BUILT = 'The dashboard is not built. Run npm run build, or use npm start, which builds it.\n';

type Page = (ctx: RouterContext) => unknown;

/**
 * Handlers of the dashboard by path: one HTML document for all pages, whose script routes between them, and its assets.
 */
export const DASHBOARD_PAGES: readonly (readonly [path: string, page: Page])[] = [
  ...DASHBOARD_PATHS.map((path) => [path, sendUnframed] as const),
  ['/assets/:file', sendAsset],
];

/**
 * Sends the dashboard, which shows "not found", to a browser at an unknown address. False for clients that do not ask
 * for HTML.
 */
export async function sendNotFoundPage(ctx: Context): Promise<boolean> {
  const is_of_programs = /^\/(v1|dashboard|assets)(\/|$)/.test(ctx.path);
  if (ctx.method !== 'GET' || is_of_programs || ctx.accepts('json', 'html') !== 'html') return false;
  ctx.status = 404;
  await sendUnframed(ctx);
  return true;
}

function sendUnframed(ctx: Context): Promise<void> {
  return sendDocument(ctx, []);
}

/** Sends the document of all pages; sites of these origins may frame it. */
export async function sendDocument(ctx: Context, origins: readonly string[]): Promise<void> {
  ctx.set('Content-Security-Policy', POLICY + (origins.length === 0 ? "'none'" : origins.join(' ')));
  ctx.set('Referrer-Policy', 'no-referrer');
  if (existsSync(join(BUILT, 'index.html'))) await send(ctx, 'index.html', { root: BUILT });
  else ctx.body = NOT_BUILT;
}

/** An asset may be cached for ever: its name changes with its content. */
async function sendAsset(ctx: RouterContext): Promise<void> {
  const { file = '' } = ctx.params;
  if (!/^[\w-][\w.-]*$/.test(file) || !existsSync(join(BUILT, 'assets', file))) throw notFoundError();
  ctx.remove('Cache-Control');
  await send(ctx, `assets/${file}`, { root: BUILT, maxage: YEAR_MS, immutable: true });
}
