import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd } from './at-end.ts';

export type CollectedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: object }[];
  links?: { traceId: string; spanId: string }[];
  status?: { code?: number };
  /** Name of the service that sent it. */
  service: string;
};

type Body = {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue: string } }[] };
    scopeSpans: { spans: Omit<CollectedSpan, 'service'>[] }[];
  }[];
};

/** A small OpenTelemetry collector: it takes OTLP over HTTP as JSON and keeps the spans and the bodies. It ends with the run. */
export async function startCollector(): Promise<{ url: string; spans: CollectedSpan[]; bodies: string[] }> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
      if (request.url === '/v1/traces') keep(Buffer.concat(parts).toString());
    });
  });
  const keep = (body: string) => {
    bodies.push(body);
    for (const { resource, scopeSpans } of (JSON.parse(body) as Body).resourceSpans) {
      const named = resource.attributes.find(({ key }) => key === 'service.name');
      const service = named?.value.stringValue ?? '';
      for (const { spans: sent } of scopeSpans) spans.push(...sent.map((span) => ({ ...span, service })));
    }
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => void server.close().closeAllConnections());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, bodies };
}
