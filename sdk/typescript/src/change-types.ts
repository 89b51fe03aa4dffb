import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** A change of the feed; `object_type` says what `data` is. */
export type FeedChange = Schemas['FeedChange'];
/** A page of GET /v1/changes. */
export type ChangePage = Schemas['FeedPage'];
export type ObjectType = FeedChange['object_type'];
export type ChangeType = FeedChange['type'];

/** A change as an endpoint receives it; `timestamp` is its `created_at`. */
export type WebhookChange = FeedChange & { timestamp: string };
