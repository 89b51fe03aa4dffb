import type { IncomingMessage } from 'node:http';
import { tracing } from '../../src/telemetry/tracing.ts';
import { exchangeOf, type ApiResponse } from './exchange.ts';

type Serve = (request: IncomingMessage, response: ApiResponse) => void;

/**
 * The handler itself while traces are off. Else it runs in a span, which ends with the response and continues the
 * client's trace.
 */
export function traced(serve: Serve): Serve {
  const traces = tracing();
  if (traces === null) return serve;
  return (request, response) => {
    const { method = '' } = request;
    const { request_id } = exchangeOf(response);
    const attributes = { 'http.request.method': method, request_id };
    traces.start({ name: method, kind: 'server', attributes, headers: request.headers }, (span) => {
      response.on('close', () => {
        // The pattern of the route: a path has ids of customers.
        const { route } = exchangeOf(response);
        const { statusCode: status } = response;
        if (route !== null) span.rename(`${method} ${route}`);
        if (route !== null) span.set({ 'http.route': route });
        span.set({ 'http.response.status_code': status });
        if (status >= 500) span.fail({ code: `${status}` });
        span.end();
      });
      serve(request, response);
    });
  };
}
