import { createHash, randomBytes } from 'node:crypto';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Context,
  type Span as OtelSpan,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Span, SpanLink, SpanOptions, Tracing } from './tracing.ts';

const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

/**
 * Traces by OpenTelemetry, sent in batches by OTLP over HTTP. Loaded only if traces are on (tracing.ts). Nothing of it
 * runs in workflow code: the steps of one run of a workflow share a trace whose id is made from the id of the run.
 */
export function openTelemetry(service: string): Tracing {
  let trace_id: string | null = null;
  const named = resourceFromAttributes({ 'service.name': service });
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES win.
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
    idGenerator: {
      generateTraceId: () => trace_id ?? randomBytes(TRACE_ID_BYTES).toString('hex'),
      generateSpanId: () => randomBytes(SPAN_ID_BYTES).toString('hex'),
    },
  });
  provider.register();
  const tracer = provider.getTracer(service);

  const open = (options: SpanOptions, parent: Context): OtelSpan => {
    const { name, kind, attributes = {}, trace_of, links = [] } = options;
    // The id is asked for within startSpan, which is synchronous.
    trace_id = trace_of === undefined ? null : traceIdOf(trace_of);
    const span = tracer.startSpan(
      name,
      {
        kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
        attributes,
        links: links.map((link) => ({ context: contextOf(link) })),
      },
      parent,
    );
    trace_id = null;
    return span;
  };

  return {
    start: (options, work) => {
      const parent = parentOf(options);
      const span = open(options, parent);
      return context.with(trace.setSpan(parent, span), () => work(spanOf(span)));
    },
    current: () => {
      const span = trace.getActiveSpan();
      return span === undefined ? null : linkTo(span);
    },
    bind: (callback) => context.bind(context.active(), callback),
    linkOf: (id) => ({ trace_id: traceIdOf(id), span_id: digestOf(id).slice(-2 * SPAN_ID_BYTES) }),
    stop: () => provider.shutdown(),
  };
}

function parentOf({ headers, trace_of, is_root = trace_of !== undefined }: SpanOptions): Context {
  if (headers !== undefined) return propagation.extract(ROOT_CONTEXT, headers);
  return is_root ? ROOT_CONTEXT : context.active();
}

function spanOf(span: OtelSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail: (error) => {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', kindOf(error));
    },
    addLink: (link) => void span.addLink({ context: contextOf(link) }),
    end: () => span.end(),
  };
}

/** The code of an error of Node, of Postgres or of ours, else its name. */
function kindOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return typeof error;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof Error ? error.name : 'object';
}

function linkTo(span: OtelSpan): SpanLink {
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}

function contextOf({ trace_id, span_id }: SpanLink) {
  return { traceId: trace_id, spanId: span_id, traceFlags: TraceFlags.SAMPLED };
}

function traceIdOf(id: string): string {
  return digestOf(id).slice(0, 2 * TRACE_ID_BYTES);
}

function digestOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
