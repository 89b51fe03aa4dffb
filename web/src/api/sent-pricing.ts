import type { PricingField, PricingModel } from '../../../src/domain/pricing/definitions.ts';

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
  readonly [Field in AmountField]?: string | null | undefined;
};

/** A field of any model that is one decimal. */
export type AmountField = Exclude<PricingField, 'tiers'>;
