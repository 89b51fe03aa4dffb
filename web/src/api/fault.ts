import type { ErrorContent, FaultDetail } from './objects.ts';

type Cause = {
  /** HTTP status; 0 if there was no response. */
  status: number;
  code: string;
  message: string;
  details: readonly FaultDetail[];
  request_id: string | null;
};

/** The reason why a request failed. */
export class Fault extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly FaultDetail[];
  readonly request_id: string | null;

  constructor({ status, code, message, details, request_id }: Cause) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.request_id = request_id;
  }
}

/** Whether the caller is known, but may not do this. */
export function isNotPermitted({ details }: Fault): boolean {
  return details.some(({ reason }) => reason === 'not_permitted');
}

/** The fault for a request without a response. The request may or may not have been executed. */
export function unreachable(): Fault {
  const message = 'The API does not respond. Check that the API is running, then try again.';
  return new Fault({ status: 0, code: 'unreachable', message, details: [], request_id: null });
}

type ErrorBody = { error?: Partial<ErrorContent> };

/** The fault of a response that is not 2xx, even if its body is not in the API's error format. */
export async function faultOf(response: Response): Promise<Fault> {
  const { status } = response;
  const { error = {} }: ErrorBody = await response.json().catch(() => ({}));
  return new Fault({
    status,
    code: error.code ?? 'unknown',
    message: error.message ?? `The API responded with the status ${status} and no error message.`,
    details: error.details ?? [],
    request_id: error.request_id ?? response.headers.get('X-Request-Id'),
  });
}

/** A fault that the page itself finds, at a field of a form. */
export function faultAt(param: string, reason: FaultDetail['reason'], message: string): Fault {
  const details = [{ param, reason, message }];
  return new Fault({ status: 0, code: 'invalid_request', message, details, request_id: null });
}

/**
 * The fault with what concerns entries of a list, such as portal_origins[1], at the field of the whole list, which has
 * a line for each, or another word for what it has.
 */
export function atList(error: unknown, name: string, word = 'Line'): Fault {
  const fault = asFault(error);
  const details = fault.details.map((detail) => {
    const [entry, place] = detail.param?.match(new RegExp(`^${name}\\[(\\d+)\\]`)) ?? [];
    if (entry === undefined) return detail;
    return { ...detail, param: name, message: detail.message.replace(entry, `${word} ${Number(place) + 1}`) };
  });
  const { status, code, message, request_id } = fault;
  return new Fault({ status, code, message, details, request_id });
}

/**
 * Any thrown value as a Fault. A value that is no Fault is a bug of the dashboard, so it is also written to the
 * console.
 */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  console.error(error);
  const message =
    'This page has an error. Reload the page. If the error remains, contact the operator of Tidemark.';
  return new Fault({ status: 0, code: 'page_error', message, details: [], request_id: null });
}
