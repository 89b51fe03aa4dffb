import type { Aggregation } from './charge.ts';
import { type Decimal, canonical } from '../money/decimal.ts';
import type { Fraction } from '../time/period.ts';
import type { RatedTier, Tier } from './tiers.ts';

/**
 * How a field is read: an amount in major units, a quantity of units, a size above zero, a percentage from 0 to 100, or
 * a list of tiers. These but tiers are canonical decimals of at most 15 digits before and after the point. A choice is
 * one of a few words.
 */
export type FieldKind = 'amount' | 'quantity' | 'size' | 'percent' | 'tiers' | 'choice';

export type Field = {
  kind: FieldKind;
  /** The stored value of a field that a plan leaves out; null stores nothing. A field without a default is required. */
  default?: string | null;
  /** The words of a choice, each with its text in the dashboard. */
  choices?: Readonly<Record<string, string>>;
  /** Text in the API reference, after the name of the model. */
  description: string;
  /** Text in the dashboard, without the currency of an amount. */
  label: string;
};

export type Fields = Readonly<Record<string, Field>>;

type ValueOf<F extends Field> = F extends { kind: 'tiers' }
  ? readonly Tier[]
  : F extends { default: null }
    ? string | null
    : string;

/**
 * The prices of one charge: a value for each field of its model. A choice that is left out is its default.
 */
export type Values<F extends Fields> = {
  readonly [Name in keyof F as F[Name] extends { kind: 'choice' } ? never : Name]: ValueOf<F[Name]>;
} & {
  readonly [Name in keyof F as F[Name] extends { kind: 'choice' } ? Name : never]?: F[Name] extends {
    default: null;
  }
    ? string | null
    : string;
};

/**
 * `credit` is in creditable units, never more than `creditableUnits` of the quantity; `fraction` is the billed part of
 * a period.
 */
export type RatedUsage = { quantity: Decimal; credit: Decimal; fraction: Fraction };

/**
 * The result before any rounding; `billable_quantity` is what is charged for (contract.md 7), `tiers` null for a model
 * without tiers. The amount is yet to be divided by the `divisor`, if there is one: a quotient may have endless
 * decimals.
 */
export type Rating = {
  billable_quantity: Decimal;
  tiers: readonly RatedTier[] | null;
  exact_amount: Decimal;
  divisor?: Decimal;
};

/** A fault between two fields. Faults of a single field follow from its kind. */
export type FieldFault = { field: string; fault: string };

/** How figures are written for people: a quantity with commas, an amount with the decimals of its currency too. */
export type Formats = { quantity: (text: string) => string; amount: (text: string) => string };

/** A calculation in words, "30 × 0.0005", and what it comes to before rounding, canonical. */
export type Calculation = { exact_amount: string; words: string };

/**
 * All that Tidemark knows of a pricing model. Request schemas, the API reference, the objects of plans and invoices,
 * the PDF, the dashboard and the generators of the tests read it from the table in definitions.ts.
 */
export type Definition<F extends Fields, Listed extends boolean = boolean> = {
  /** Name on screen: "Per unit". */
  name: string;
  /** One sentence for the person who chooses a model. */
  meaning: string;
  fields: F;
  /**
   * Whether its amount depends on events. If not, its line has the type `flat`, the quantity 1, and a price by time.
   */
  is_metered: boolean;
  /**
   * Whether a charge may have a list of prices, and lines by group: each then has minimums, tiers and free units of its
   * own.
   */
  may_be_listed: Listed;
  /**
   * Whether more usage may cost less. An audit then expects late usage without a line, because its amount was below
   * zero.
   */
  may_fall: boolean;
  /** The aggregations that the model allows; absent allows all. */
  aggregations?: readonly Aggregation['type'][];
  faults?: (values: Values<F>) => readonly FieldFault[];
  /** How many units credit can cover of a quantity. */
  creditableUnits: (values: Values<F>, quantity: Decimal) => Decimal;
  /** billing.md 3. More credit never gives a higher amount. */
  rate: (values: Values<F>, usage: RatedUsage) => Rating;
  /** The column "Unit price" of the PDF. */
  unitPrice: (values: Values<F>, formats: Formats) => string;
  /** The price of every unit, for the e-invoice; absent for a model whose units may differ in price. */
  singlePrice?: (values: Values<F>) => string;
  /**
   * The credits of a quantity, "30 × 10 credits each"; absent for a model whose credit is counted in units of usage.
   */
  creditsOf?: (values: Values<F>, quantity: string, formats: Formats) => string;
  /** The words before a line's quantity, "2.5 % of "; absent for a model whose quantity says it all. */
  ofQuantity?: (values: Values<F>, formats: Formats) => string;
  /**
   * The limit that decides the price of a quantity, "at least 10.00"; null if none does, absent for a model without
   * limits.
   */
  limitOf?: (values: Values<F>, quantity: Decimal, formats: Formats) => string | null;
  /** How the tiers of a line came about, without a final point; absent for a model without tiers. */
  tierRule?: (quantity: string) => string;
  /** How the amount of a line is calculated if no other line shares its period; null for a model with tiers. */
  calculation: (values: Values<F>, billable_quantity: string, formats: Formats) => Calculation | null;
};

/** Returns the definition; the compiler checks its functions against its fields. */
export function definePricing<const F extends Fields, Listed extends boolean>(
  definition: Definition<F, Listed>,
): Definition<F, Listed> {
  return definition;
}

/** The calculation of units that all cost the same. */
export function unitsTimesAmount(units: Decimal, amount: string, { quantity }: Formats): Calculation {
  const words = `${quantity(canonical(units))} × ${quantity(amount)}`;
  return { exact_amount: canonical(units.times(amount)), words };
}
