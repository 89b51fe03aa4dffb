import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { RouterContext, RouterMiddleware } from '@koa/router';
import { send } from '@koa/send';
import { isPrepared } from '../src/db/account/accounts.ts';
import { isStillRunning } from '../src/process/still-running.ts';
import { DASHBOARD_PAGES, sendDocument } from './dashboard/pages.ts';
import { createPortalOrigins } from './dashboard/portal-origins.ts';
import { exchangeOf } from './http/exchange.ts';
import { openApiOf } from './reference/openapi.ts';
import type { Route } from './routing/route.ts';
import type { Api } from './compose.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const SWAGGER_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];
const HOUR_MS = 3_600_000;
/** Time limit of the database: beyond it, /readyz reports not ready, so that a load balancer sends no requests here. */
const READY_WITHIN_MS = 2000;

/** Content-Security-Policy: nothing from other sites. Swagger UI needs inline styles and images in `data:` URLs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Handlers outside /v1 by path, none of which needs a key: dashboard pages, health, metrics and the API reference. */
export function pagesOf(api: Api, routes: readonly Route[]): Map<string, RouterMiddleware> {
  const { public_url } = api.deps.config;
  const servers = public_url === null ? {} : { servers: [{ url: public_url }] };
  const document = { ...openApiOf(routes), ...servers };
  const portalOrigins = createPortalOrigins(api.deps.pool);
  const pages: Record<string, (ctx: RouterContext) => unknown> = {
    ...Object.fromEntries(DASHBOARD_PAGES),
    '/portal': async (ctx) => sendDocument(ctx, await portalOrigins()),
    '/healthz': (ctx) => (ctx.body = { status: 'ok' }),
    '/readyz': (ctx) => answerReadiness(ctx, api),
    ...(api.deps.config.metrics_port === null ? { '/metrics': (ctx) => answerMetrics(ctx, api) } : {}),
    '/openapi.json': (ctx) => (ctx.body = document),
    '/docs': (ctx) => sendHtml(ctx, REFERENCE_PAGE),
    '/docs/start.js': (ctx) => {
      ctx.type = 'text/javascript';
      ctx.body = REFERENCE_SCRIPT;
    },
  };
  for (const file of SWAGGER_FILES) pages[`/docs/${file}`] = (ctx) => sendAsset(ctx, file);
  return new Map(Object.entries(pages).map(([path, answer]) => [path, page(path, answer)]));
}

function page(path: string, answer: (ctx: RouterContext) => unknown): RouterMiddleware {
  return async (ctx) => {
    exchangeOf(ctx.res).route = path;
    await answer(ctx);
  };
}

async function sendAsset(ctx: RouterContext, file: string): Promise<void> {
  ctx.remove('Cache-Control');
  await send(ctx, file, { root: SWAGGER_UI, maxage: HOUR_MS });
}

function sendHtml(ctx: RouterContext, html: string): void {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.type = 'text/html';
  ctx.body = html;
}

async function answerReadiness(ctx: RouterContext, { deps, readiness }: Api): Promise<void> {
  const asking = isPrepared(deps.pool).catch(() => false);
  const is_ready =
    !readiness.is_draining && !(await isStillRunning(asking, READY_WITHIN_MS)) && (await asking);
  ctx.status = is_ready ? 200 : 503;
  ctx.body = { status: is_ready ? 'ready' : 'not_ready' };
}

async function answerMetrics(ctx: RouterContext, { deps }: Api): Promise<void> {
  const { registry } = deps.metrics;
  ctx.type = registry.contentType;
  ctx.body = await registry.metrics();
}

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tidemark API reference</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

// Without `validatorUrl: null` Swagger UI loads a badge from its vendor's site.
const REFERENCE_SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;
