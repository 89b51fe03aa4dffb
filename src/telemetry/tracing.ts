import type { IncomingHttpHeaders } from 'node:http';

export type Attributes = Readonly<Record<string, string | number>>;

/** A span that runs. Attributes never hold values of customers: no bodies, keys or parameters. */
export type Span = {
  rename: (name: string) => void;
  set: (attributes: Attributes) => void;
  /** Marks the span as failed, with the kind of the error but without its message, which may repeat values. */
  fail: (error: unknown) => void;
  addLink: (link: SpanLink) => void;
  end: () => void;
};

export type SpanLink = { readonly trace_id: string; readonly span_id: string };

export type SpanOptions = {
  name: string;
  kind?: 'server' | 'client';
  attributes?: Attributes;
  /** Headers of a request that may continue the trace of its client. */
  headers?: IncomingHttpHeaders;
  /**
   * Starts the span without a parent, in the trace of this id. By default a span is a child of the one that it is
   * started in.
   */
  trace_of?: string;
  /** Starts the span without a parent. */
  is_root?: boolean;
  links?: readonly SpanLink[];
};

export type Tracing = {
  /** Starts a span and calls `work` in it. The caller must end the span. */
  start: <Result>(options: SpanOptions, work: (span: Span) => Result) => Result;
  /** The span that this code runs in; null outside of any. */
  current: () => SpanLink | null;
  /** Makes a callback run in the span of this call, wherever it is called from. */
  bind: <Callback>(callback: Callback) => Callback;
  /** A link to the trace of a `trace_of`. */
  linkOf: (id: string) => SpanLink;
  /** Sends the spans that ended. */
  stop: () => Promise<void>;
};

let active: Tracing | null = null;

/** Null while traces are off. */
export function tracing(): Tracing | null {
  return active;
}

/**
 * Turns traces on if there is an address to send them to; to be called before any pool is created. The packages are
 * loaded only then. They read the other OTEL_ variables themselves.
 */
export async function startTracing(service: string, endpoint: string | null): Promise<void> {
  if (endpoint === null) return;
  const { openTelemetry } = await import('./open-telemetry.ts');
  active = openTelemetry(service);
}

/** Sends the spans that ended. Never rejects: a collector that is down must not keep a process from ending. */
export async function stopTracing(): Promise<void> {
  await active?.stop().catch(() => undefined);
}

/**
 * Runs `work` in a span, if traces are on. Only a root has no surrounding span: without one, other work has no span
 * either, so that the loops of a process fill no trace.
 */
export async function inSpan<Result>(options: SpanOptions, work: () => Promise<Result>): Promise<Result> {
  if (active === null) return work();
  const { is_root = false, trace_of } = options;
  if (!is_root && trace_of === undefined && active.current() === null) return work();
  return active.start(options, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  });
}
