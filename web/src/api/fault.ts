/** One thing wrong with a request: `param` is the path of the field, as in charges[0].tiers[1].unit_amount. */
export type FaultDetail = { param: string | null; reason: string; message: string };

type Cause = {
  /** 0 where no answer came. */
  status: number;
  code: string;
  message: string;
  details: readonly FaultDetail[];
  request_id: string | null;
};

/** What a request came to when it was not done. */
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

/** The fault that no answer is. Whether the request was done is not known. */
export function unreachable(): Fault {
  const message = 'The API did not answer. Check that it is running, then try again.';
  return new Fault({ status: 0, code: 'unreachable', message, details: [], request_id: null });
}

type ErrorBody = { error?: Partial<Omit<Cause, 'status'>> };

/** The fault of an answer that is not 2xx, also where its body is not one of the API's. */
export async function faultOf(response: Response): Promise<Fault> {
  const { status } = response;
  const { error = {} }: ErrorBody = await response.json().catch(() => ({}));
  return new Fault({
    status,
    code: error.code ?? 'unknown',
    message: error.message ?? `The API answered ${status} without a reason.`,
    details: error.details ?? [],
    request_id: error.request_id ?? response.headers.get('X-Request-Id'),
  });
}

/** What the page itself refuses, at the field of a form. */
export function faultAt(param: string, reason: string, message: string): Fault {
  const details = [{ param, reason, message }];
  return new Fault({ status: 0, code: 'invalid_request', message, details, request_id: null });
}

/** Whatever was thrown as a fault; what is none is a bug of ours, and is told to the console. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error;
  console.error(error);
  const message = 'Something went wrong in this page. Reload it; if it stays, tell whoever runs Tidemark.';
  return new Fault({ status: 0, code: 'page_error', message, details: [], request_id: null });
}
