import type { PricingModel } from './objects.ts';

type SentTier = {
  up_to: string | null | undefined;
  unit_amount: string | undefined;
  flat_amount?: string | null | undefined;
};

/** A charge's prices as they are sent: what is not known yet is left out, so that the server says what is missing. */
export type SentPricing = {
  readonly pricing_model: PricingModel;
  readonly tiers?: readonly SentTier[];
} & {
  readonly [Field in AmountField]?: string | undefined;
};

export type AmountField =
  | 'flat_amount'
  | 'unit_amount'
  | 'package_size'
  | 'package_amount'
  | 'free_units'
  | 'credits_per_unit'
  | 'overage_unit_amount';
