import { memberOf } from './json.ts';

/**
 * One fault of a request; `param` is a path such as `events[3].timestamp`, or null if the whole request is at fault.
 */
export type ErrorDetail = { param: string | null; reason: string; message: string };

type ErrorBody = { code: string; message: string; param: string | null; details: ErrorDetail[] };

/**
 * An answer of the API that is not a 2xx. `code` is one of the six codes of the API, or null if something else
 * answered, such as a proxy. `requestId` names the request in the logs of the server.
 */
export class TidemarkError extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly param: string | null;
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;

  constructor(status: number, body: unknown, request_id: string | null) {
    const error = errorOf(body);
    super(
      error === null
        ? `${status}: the answer is not from Tidemark`
        : `${status} ${error.code}: ${error.message}`,
    );
    this.name = 'TidemarkError';
    this.status = status;
    this.code = error?.code ?? null;
    this.param = error?.param ?? null;
    this.details = error?.details ?? [];
    this.requestId = request_id;
  }
}

/** The error in the body of an answer (contract.md 1), or null if the body has another form. */
function errorOf(body: unknown): ErrorBody | null {
  const error = memberOf(body, 'error');
  const code = memberOf(error, 'code');
  const message = memberOf(error, 'message');
  if (typeof code !== 'string' || typeof message !== 'string') return null;
  const param = memberOf(error, 'param');
  const details = memberOf(error, 'details');
  return {
    code,
    message,
    param: typeof param === 'string' ? param : null,
    details: Array.isArray(details) ? details.flatMap(detailOf) : [],
  };
}

function detailOf(value: unknown): ErrorDetail[] {
  const param = memberOf(value, 'param');
  const reason = memberOf(value, 'reason');
  const message = memberOf(value, 'message');
  if (typeof reason !== 'string' || typeof message !== 'string') return [];
  return [{ param: typeof param === 'string' ? param : null, reason, message }];
}
