import type { FeedChange } from '../objects/change.ts';
import type { WebhookPayload } from '../domain/feed/webhook.ts';

/** The part of a change that a webhook sends. Only a test has no number. */
export type SentChange = Omit<FeedChange, 'sequence'> & { sequence: number | null };

/** The body of a delivery, the same at each try. */
export function bodyOf(change: SentChange, payload: WebhookPayload): string {
  const data = payload === 'full' ? change.data : null;
  return JSON.stringify({ ...change, timestamp: change.created_at, data });
}

/** Headers of a delivery besides its signature: a CloudEvent 1.0 in binary mode. */
export function headersOf(
  { id, type, created_at, object_id, sequence }: SentChange,
  source: string,
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Tidemark',
    'ce-specversion': '1.0',
    'ce-id': id,
    'ce-type': type,
    'ce-time': created_at,
    'ce-source': source,
    'ce-subject': object_id,
    ...(sequence === null ? {} : { 'ce-sequence': String(sequence) }),
  };
}

/** The change of a test, which is in no feed. `data` is the endpoint. */
export function changeOfTest({
  id,
  livemode,
  created_at,
  endpoint_id,
  data,
}: Pick<SentChange, 'id' | 'livemode' | 'created_at' | 'data'> & { endpoint_id: string }): SentChange {
  return {
    id,
    object: 'change',
    livemode,
    created_at,
    sequence: null,
    type: 'webhook_endpoint.test',
    object_type: 'webhook_endpoint',
    object_id: endpoint_id,
    customer_id: null,
    actor: null,
    data,
  };
}
