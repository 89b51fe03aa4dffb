import type { PricingField, PricingModel } from '../../../src/domain/pricing/definitions.ts';

type SentTier = {
  up_to: string | null | undefined;
  unit_amount: string | undefined;
  flat_amount?: string | null | undefined;
};

/**
 * Prices of a charge as the request sends them. Empty fields are left out, so that the server names the missing ones.
 */
export type SentPricing = {
  readonly pricing_model: PricingModel;
  readonly tiers?: readonly SentTier[];
} & {
  readonly [Field in AmountField]?: string | null | undefined;
};

/** A field of any model that is one decimal. */
export type AmountField = Exclude<PricingField, 'tiers'>;
