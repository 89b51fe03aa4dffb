export { createClient, type Client, type ClientOptions } from './client.ts';
export type { FollowOptions } from './changes.ts';
export type * from './change-types.ts';
export { TidemarkError, type ErrorDetail } from './errors.ts';
export type { DroppedEvent, TrackedEvent } from './events/queue.ts';
export type { ListPath } from './paginate.ts';
export type { components, operations, paths } from './schema.ts';
export {
  verifyWebhook,
  WebhookVerificationError,
  type WebhookFault,
  type WebhookHeaders,
  type WebhookOptions,
} from './webhook.ts';
