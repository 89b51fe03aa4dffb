import type { Aggregation, Filters } from '../../../src/domain/pricing/charge.ts';
import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import type { Interval } from '../../../src/domain/time/period.ts';
import type { Series } from './series.ts';

/** Plans and their charges. */

export type Charge = {
  event_name: string;
  aggregation: Aggregation;
  filters: Filters | null;
  /** The pricing; of a charge with a list of prices, that of none of its lines. */
  pricing: Pricing;
  /** Its flat amount is for one, and its event name that of a quantity of the subscription. */
  has_quantity?: true;
  /** Prices and groups, each with a line of its own; absent where the charge has one line. */
  division?: Division;
  /** The part of a divided charge that a line bills. */
  part?: { whole: Charge; series: Series };
};
/** The match of the last price may be null: it is the default. */
export type Division = {
  prices: readonly { match: Filters | null; pricing: Pricing }[] | null;
  group_by: readonly string[] | null;
  /** The charges that lines have been made of, one for each price and group. */
  parts: Charge[];
};
export type Plan = {
  interval: Interval;
  interval_count: number;
  charges: readonly Charge[];
  grants: readonly PlanGrant[];
  /** The least that a full period costs, as a decimal; null: nothing. */
  minimum_amount: string | null;
  /** The base of a plan of one customer, and what that has in its place; absent of a plan of everybody. */
  custom?: { base: Plan; terms: CustomTerms };
};

/** A grant that each full period of a plan has. */
export type PlanGrant = {
  amount: string;
  event_names: readonly string[] | null;
  expires: 'period_end' | { days: number };
  carry_over_max: string | null;
  /** A full period that is short as it begins has its share. */
  prorate: boolean;
};

/** Another price for the charge of a base at a place: fields of its model, a list of prices, or a model of its own with its fields. */
export type Override = {
  charge: number;
  pricing_model?: Pricing['pricing_model'];
  prices?: NonNullable<Division['prices']>;
  fields: Readonly<Record<string, unknown>>;
};

/** Terms of a custom plan in place of its base's. */
export type CustomTerms = {
  overrides: readonly Override[];
  grants?: readonly PlanGrant[];
  minimum_amount?: string;
};
