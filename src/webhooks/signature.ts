import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const SECRET_BYTES = 32;
const PREFIX = 'whsec_';

/** A new secret of an endpoint in the form of Standard Webhooks: `whsec_` and 256 random bits in base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

type Signed = {
  id: string;
  body: string;
  sent_at: Date;
  secrets: readonly string[];
};

/**
 * Headers of Standard Webhooks. `id` and `body` are the same at each try, `sent_at` is its instant. Every secret signs.
 */
export function signatureHeaders({ id, body, sent_at, secrets }: Signed): SignatureHeaders {
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, sent_at, body)).join(' ');
  return signedHeaders({ id, sent_at, signature });
}

export type SignatureHeaders = Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>;

/** The headers of a signature that was made. */
export function signedHeaders({
  id,
  sent_at,
  signature,
}: Pick<Signed, 'id' | 'sent_at'> & { signature: string }): SignatureHeaders {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sent_at.getTime() / 1000)),
    'webhook-signature': signature,
  };
}
