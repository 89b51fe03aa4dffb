export const PROVIDER_KINDS = ['stripe'] as const;
export const PROVIDER_STATUSES = ['active', 'failing'] as const;

export const METHOD_STATUSES = ['active', 'failing', 'removed'] as const;

/** Pages on which one customer may save a method that are made in an hour. */
export const PAGES_MAX = 20;
