export const PROVIDER_KINDS = ['stripe'] as const;
export const PROVIDER_STATUSES = ['active', 'failing'] as const;

export const METHOD_STATUSES = ['active', 'failing', 'removed'] as const;
export type MethodStatus = (typeof METHOD_STATUSES)[number];

/** Pages on which one customer may save a method that are made in an hour. */
export const PAGES_MAX = 20;

const [HOUR_MS, DAY_MS] = [3_600_000, 86_400_000];
/** Days after which a page that the provider has not ended is given up: a bank account takes days to be confirmed. */
const PAGE_DAYS_MAX = 10;

/** When a page that was made at an instant is read again; null: it is given up. */
export function nextPageRead(created_at: Date, now: Date): Date | null {
  const next = new Date(now.getTime() + HOUR_MS);
  return next.getTime() - created_at.getTime() > PAGE_DAYS_MAX * DAY_MS ? null : next;
}
