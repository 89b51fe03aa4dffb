import type { Charge } from '../pricing/charge.ts';
import { dimensionsOf } from '../pricing/series.ts';

/** The parts that a redaction leaves as they are: a closed list, which the response gives. */
export const KEPT = [
  ...(['external_id', 'issued_invoices', 'credit_notes', 'event_keys'] as const),
  ...(['charge_properties', 'archive_files'] as const),
] as const;

/** The description of an invoice item whose own was erased. */
export const ERASED_DESCRIPTION = 'Item';

/** The name of a discount whose own was erased. */
export const ERASED_DISCOUNT_NAME = 'Discount';

/** The name of a custom plan of an erased customer. */
export const ERASED_PLAN_NAME = 'Plan';

/** Limit of different property names in all redactions of a customer. */
export const REDACTED_PROPERTIES_MAX = 100;

/** Limit of redactions of a customer whose events the worker has not passed. */
export const PENDING_REDACTIONS_MAX = 10;

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
