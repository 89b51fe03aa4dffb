import { Router, type RouterMiddleware } from '@koa/router';
import Koa from 'koa';
import type { Admission } from './access/admission.ts';
import { sendNotFoundPage } from './dashboard/pages.ts';
import { dashboardRoutesBeside } from './dashboard/routes.ts';
import { notFoundError } from './http/errors.ts';
import { setHeaders, writeError } from './http/exchange.ts';
import { pagesOf } from './pages.ts';
import type { Route } from './routing/route.ts';
import { providerWebhookHandlers } from './resources/provider-webhooks.ts';
import { signInHandlers } from './sign-in/sign-in.ts';
import type { Api } from './compose.ts';
import { serveRoute, type ServeOptions } from './serve.ts';

/** The Koa application with all pages and routes. It opens no port: server.ts passes the requests on to it. */
export function createApp(api: Api, routes: readonly Route[], options: ServeOptions = {}): Koa {
  const { deps, admission } = api;
  const app = new Koa();
  const router = new Router({ strict: true, sensitive: true });
  const paths = { router, admission };
  for (const [path, page] of pagesOf(api, routes)) addPath(paths, path, new Map([['get', page]]));
  const served = [...routes, ...dashboardRoutesBeside(routes)].map((route) => ({
    path: route.path,
    method: route.method,
    handle: serveRoute(api, route, options),
  }));
  const unkeyed = [...signInHandlers(deps, admission), ...providerWebhookHandlers(deps)];
  for (const [path, handlers] of byPath([...served, ...unkeyed]))
    addPath(paths, path.replaceAll(/\{(\w+)\}/g, ':$1'), handlers);
  app.use(answerErrors);
  app.use(router.routes());
  app.use(respondNotFound(admission, []));
  // answerErrors handles every other error; only a response that failed because its client disconnected arrives here.
  app.on('error', (error) => deps.log.debug({ error }));
  return app;
}

type Served = { path: string; method: Route['method']; handle: RouterMiddleware };

/**
 * Groups handlers by path, the path with the most literal characters first: `/v1/invoices/generate` also matches
 * `/v1/invoices/{id}`.
 */
function byPath(served: readonly Served[]): [string, Handlers][] {
  const groups = new Map<string, Map<Route['method'], RouterMiddleware>>();
  for (const { path, method, handle } of served)
    groups.set(path, (groups.get(path) ?? new Map<Route['method'], RouterMiddleware>()).set(method, handle));
  const literal = (path: string) => path.replaceAll(/\{\w+\}/g, '').length;
  return [...groups].sort(([a], [b]) => literal(b) - literal(a));
}

type Paths = { router: Router; admission: Admission };
type Handlers = ReadonlyMap<Route['method'], RouterMiddleware>;

/**
 * Registers the handlers of a path. Any other method gets a 404 here and does not fall through to the next path that
 * matches.
 */
function addPath({ router, admission }: Paths, path: string, handlers: Handlers): void {
  for (const [method, handler] of handlers) router[method](path, handler);
  const allowed = [...handlers.keys()].map((method) => method.toUpperCase());
  if (allowed.includes('GET')) allowed.push('HEAD');
  router.all(path, respondNotFound(admission, allowed.sort()));
}

const answerErrors: Koa.Middleware = async (ctx, next) => {
  setHeaders(ctx.res);
  try {
    await next();
    // Again, because admission has added the RateLimit headers by now.
    setHeaders(ctx.res);
  } catch (error) {
    ctx.respond = false;
    writeError(ctx.res, error);
  }
};

/**
 * 404 for an unknown path or method. Under /v1 it authenticates first: a client without a key must not find out which
 * paths exist.
 */
function respondNotFound(admission: Admission, allowed: readonly string[]): Koa.Middleware {
  return async (ctx) => {
    const { path } = ctx;
    if (path === '/v1' || path.startsWith('/v1/')) await admission.admit(ctx.req, ctx.res);
    if (allowed.length > 0) ctx.set('Allow', allowed.join(', '));
    if (await sendNotFoundPage(ctx)) return;
    throw notFoundError();
  };
}
