import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookChange } from './change-types.ts';
import { jsonOf, memberOf } from './json.ts';
import { within } from './within.ts';

/** Why a webhook is refused: `malformed` is a body with a good signature that is no change. */
export type WebhookFault =
  ('missing_header' | 'bad_timestamp' | 'too_old' | 'in_future') | ('no_valid_signature' | 'malformed');

/** A request that is not a webhook of Tidemark: answer it with 400. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

/** Headers of a request, of fetch or of node:http, in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type WebhookOptions = {
  /**
   * How far the time of the sender and of this machine may differ, and how old a request may be: 1 to 86,400. By
   * default 300.
   */
  toleranceSeconds?: number;
};

const TOLERANCE_SECONDS = 5 * 60;
/** A day: a request that somebody has kept is good for as long. */
const TOLERANCE_SECONDS_MAX = 24 * 60 * 60;
const SECRET_PREFIX = 'whsec_';
const SIGNATURE_PREFIX = 'v1,';
/** Tidemark sends two at most, while a secret is rotated; a header with more is cut here. */
const SIGNATURES_MAX = 20;

/**
 * Verifies a request by Standard Webhooks and returns the change. `raw_body` is the body as it arrived, not parsed and
 * printed again; `secret` is the endpoint's, `whsec_...`. Rejects with a WebhookVerificationError for a request that is
 * not genuine or older than `toleranceSeconds`, and with a TypeError for a malformed secret and for options that cannot
 * be meant.
 */
export async function verifyWebhook(
  raw_body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: WebhookOptions = {},
): Promise<WebhookChange> {
  const key = keyOf(secret);
  const tolerance_seconds = within('toleranceSeconds', toleranceSeconds, [1, TOLERANCE_SECONDS_MAX]);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  checkAge(timestamp, tolerance_seconds);
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(raw_body).digest();
  const is_genuine = signatures
    .split(' ', SIGNATURES_MAX)
    .some((signature) => isSignature(signature, expected));
  if (!is_genuine)
    throw new WebhookVerificationError(
      'no_valid_signature',
      'no signature in webhook-signature is made with this secret',
    );
  return changeOf(raw_body);
}

function keyOf(secret: string): Buffer {
  const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new TypeError(`the secret of a webhook is ${SECRET_PREFIX} and base64`);
  return Buffer.from(text, 'base64');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : valueIn(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new WebhookVerificationError('missing_header', `the header ${name} is missing`);
}

/** The value of a header in a record; undefined if it is missing or occurs twice. */
function valueIn(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  name: string,
): string | undefined {
  const values = Object.entries(headers).flatMap(([header_name, value]) =>
    header_name.toLowerCase() === name ? (value ?? []) : [],
  );
  return values.length === 1 ? values[0] : undefined;
}

function checkAge(timestamp: string, tolerance_seconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp))
    throw new WebhookVerificationError('bad_timestamp', 'webhook-timestamp is not in whole seconds');
  const age_seconds = Date.now() / 1000 - Number(timestamp);
  if (age_seconds > tolerance_seconds)
    throw new WebhookVerificationError(
      'too_old',
      `webhook-timestamp is more than ${tolerance_seconds} seconds ago`,
    );
  if (age_seconds < -tolerance_seconds)
    throw new WebhookVerificationError(
      'in_future',
      `webhook-timestamp is more than ${tolerance_seconds} seconds ahead`,
    );
}

function isSignature(text: string, expected: Buffer): boolean {
  if (!text.startsWith(SIGNATURE_PREFIX)) return false;
  const signature = Buffer.from(text.slice(SIGNATURE_PREFIX.length), 'base64');
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

function changeOf(raw_body: string | Uint8Array): WebhookChange {
  const text = typeof raw_body === 'string' ? raw_body : Buffer.from(raw_body).toString('utf8');
  const change = jsonOf(text);
  if (isChange(change)) return change;
  throw new WebhookVerificationError('malformed', 'the body is not a change');
}

/** Whether a genuine body is a change: who signs it keeps to the form. */
function isChange(body: unknown): body is WebhookChange {
  return memberOf(body, 'object') === 'change';
}
