import type { Charge } from '../pricing/charge.ts';
import { dimensionsOf } from '../pricing/series.ts';

/** The parts that a redaction leaves as they are: a closed list, which the response gives. */
export const KEPT = [
  ...(['external_id', 'issued_invoices', 'credit_notes', 'event_keys'] as const),
  ...(['charge_properties', 'archive_files'] as const),
] as const;

/** The description of an invoice item whose own was erased. */
export const ERASED_DESCRIPTION = 'Item';

/** Limit of different property names in all redactions of a customer. */
export const REDACTED_PROPERTIES_MAX = 100;

/** Limit of redactions of a customer whose events the worker has not passed. */
export const PENDING_REDACTIONS_MAX = 10;

/**
 * The redactions of a customer in the API: `redacted_at` is that of the last one, `properties` are those of all, in
 * order.
 */
export type Redaction = {
  redacted_at: string;
  properties: string[];
  events: 'pending' | 'done';
  kept: readonly (typeof KEPT)[number][];
};

export type Reading = Pick<Charge, 'aggregation' | 'filters' | 'pricing' | 'group_by'>;

/** The properties of events on which the quantities, prices or groups of some charge depend. */
export function propertiesReadBy(charges: readonly Reading[]): Set<string> {
  return new Set(
    charges.flatMap((charge) => {
      const { aggregation } = charge;
      return aggregation.type === 'count'
        ? dimensionsOf(charge)
        : [aggregation.property, ...dimensionsOf(charge)];
    }),
  );
}
