import { Router } from '@koa/router';
import Koa from 'koa';
import { admit } from './admission.ts';
import { nothingHere, writeError } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import { logOf } from './log.ts';
import { addPages } from './pages.ts';
import type { Deps, Route } from './route.ts';
import { serve, type ServeOptions } from './serve.ts';

/** The API as a Koa application, for the server of server.ts. Never listens. */
export function createApp(deps: Deps, routes: readonly Route[], options: ServeOptions = {}): Koa {
  const app = new Koa();
  const router = new Router({ strict: true, sensitive: true });
  addPages(router, deps, routes);
  for (const route of mostLiteralFirst(routes))
    router[route.method](route.path.replaceAll(/\{(\w+)\}/g, ':$1'), serve(deps, route, options));
  app.use(answerErrors);
  app.use(router.routes());
  app.use(answerUnknownPath(deps, router));
  // What is left: answers that could not be written because the client went away.
  app.on('error', (error) => logOf(deps).debug({ error }));
  return app;
}

/** `/v1/invoices/{id}.pdf` before `/v1/invoices/{id}`, which would match it too. */
function mostLiteralFirst(routes: readonly Route[]): Route[] {
  const literal = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, '').length;
  return [...routes].sort((a, b) => literal(b) - literal(a));
}

const answerErrors: Koa.Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    ctx.respond = false;
    writeError(ctx.res, error, exchangeOf(ctx.res).request_id);
  }
};

/** Without a key, /v1 does not tell which of its paths exist. */
function answerUnknownPath(deps: Deps, router: Router): Koa.Middleware {
  return async (ctx) => {
    const { path, method } = ctx;
    if (path === '/v1' || path.startsWith('/v1/')) await admit(ctx.req, ctx.res, deps, 'for_anything');
    const allowed = new Set(router.match(path, method).path.flatMap(({ methods }) => methods));
    if (allowed.size > 0) ctx.set('Allow', [...allowed].join(', '));
    throw nothingHere();
  };
}
