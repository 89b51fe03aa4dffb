/**
 * Types of lines: fees, usage in time and late, items, and the period lines, which are amounts of a full period as a
 * whole (billing.md 13).
 */
export const LINE_TYPES = ['flat', 'usage', 'late_usage', 'item', 'discount', 'minimum'] as const;
export type LineType = (typeof LINE_TYPES)[number];
