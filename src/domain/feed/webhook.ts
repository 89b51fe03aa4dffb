/** Parts of a change that a delivery sends: all, or all but the object, `data` null. */
export const WEBHOOK_PAYLOADS = ['full', 'thin'] as const;
export type WebhookPayload = (typeof WEBHOOK_PAYLOADS)[number];

/** `parked`: deliveries stopped by themselves, and wait for a person. */
export const WEBHOOK_STATUSES = ['active', 'paused', 'parked'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** `skipped`: a person passed over it. */
export const DELIVERY_STATUSES = ['pending', 'failing', 'delivered', 'skipped'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Endpoints of one environment. */
export const ENDPOINTS_MAX = 20;
/** Failed tries of one delivery after which its endpoint is parked: 72 hours by the times between them. */
export const FAILURES_MAX = 18;
/** Failures in a row after which an endpoint counts as down: its oldest delivery alone is tried then. */
export const DOWN_AFTER_FAILURES = 8;
/** Tries of one delivery that are kept, the newest. */
export const TRIES_KEPT = 25;
