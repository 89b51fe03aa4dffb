import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BillingError } from '../../../src/domain/money/errors.ts';
import { PRICING_MODELS, type Pricing } from '../../../src/domain/pricing/definitions.ts';
import { overriddenCharges, type ChargeTerms } from '../../../src/domain/pricing/override.ts';
import { price } from '../../../src/domain/pricing/pricing.ts';
import type { SentOverride } from '../../../src/domain/pricing/sent-charge.ts';
import type { SentPricing } from '../../../src/domain/pricing/sent-prices.ts';
import { aPricing, aQuantityFor, WHOLE } from '../../support/ledger/plans.ts';
import { TIERS } from '../../support/ledger/tiers.ts';

function aCharge(pricing: ChargeTerms['pricing'], parts: Partial<ChargeTerms> = {}): ChargeTerms {
  const is_share = pricing.pricing_model === 'percentage';
  return {
    ...{ event_name: 'call', name: null, unit_name: null, filters: null, group_by: null },
    aggregation: is_share ? { type: 'sum', property: 'n' } : { type: 'count' },
    ...parts,
    pricing,
  };
}

const amountOf = (pricing: Pricing, quantity: string): string =>
  price(pricing, { quantity, credit: '0', fraction: WHOLE, percents: [] }, 'USD').amount;

/** The fields of a pricing as a client sends them: what is null is left out. */
function sentOf({ pricing_model: _, ...fields }: Pricing): SentPricing {
  const sent: SentPricing = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value))
      sent.tiers = value.map(({ flat_amount, ...tier }) =>
        flat_amount === null ? tier : { ...tier, flat_amount },
      );
    else Object.assign(sent, { [name]: value });
  }
  return sent;
}

describe('the charges of a custom plan', () => {
  it('0.08 in the first tier of T: 900 are 72.00', () => {
    const tiers = [
      { up_to: '1000', unit_amount: '0.08' },
      ...TIERS.slice(1).map(({ flat_amount, ...tier }) => ({
        ...tier,
        ...(flat_amount === null ? {} : { flat_amount }),
      })),
    ];
    const base = aCharge({ pricing_model: 'graduated', tiers: TIERS });
    const [charge] = overriddenCharges([base], [{ charge: 0, tiers }]);
    const { pricing } = charge!;
    assert.ok(!('prices' in pricing));
    assert.equal(amountOf(pricing, '900'), '72.00');
    assert.equal(amountOf(pricing, '1200'), '95.00');
  });

  it('without overrides are those of the base, and the base is left as it is', () => {
    fc.assert(
      fc.property(fc.array(aPricing(), { minLength: 1, maxLength: 5 }), (pricings) => {
        const base = pricings.map((pricing, n) => aCharge(pricing, { event_name: `call_${n}` }));
        const before = structuredClone(base);
        assert.deepEqual(overriddenCharges(base, []), base);
        assert.deepEqual(
          overriddenCharges(
            base,
            base.map((_, charge) => ({ charge })),
          ),
          base,
        );
        assert.deepEqual(base, before);
      }),
    );
  });

  it('with a whole price of any model cost what that price costs, in any order of the overrides', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PRICING_MODELS.filter((model) => model !== 'percentage')).chain((model) =>
          fc
            .tuple(fc.array(aPricing(), { minLength: 1, maxLength: 4 }), aPricing(model), fc.nat(3))
            .chain(([pricings, own, place]) =>
              fc.record({
                pricings: fc.constant(pricings),
                own: fc.constant(own),
                place: fc.constant(place % pricings.length),
                quantity: aQuantityFor(own),
              }),
            ),
        ),
        ({ pricings, own, place, quantity }) => {
          const base = pricings.map((pricing, n) => ({
            ...aCharge(pricing, { event_name: `call_${n}` }),
            aggregation: { type: 'sum', property: 'n' } as const,
          }));
          const override: SentOverride = { charge: place, pricing_model: own.pricing_model, ...sentOf(own) };
          const others = base.map((_, charge) => ({ charge })).filter(({ charge }) => charge !== place);
          const charges = overriddenCharges(base, [override, ...others]);
          assert.deepEqual(overriddenCharges(base, [...others, override]), charges);
          const { pricing, ...selection } = charges[place]!;
          const { pricing: _, ...selection_of_base } = base[place]!;
          assert.deepEqual(selection, selection_of_base);
          assert.ok(!('prices' in pricing));
          assert.equal(amountOf(pricing, quantity), amountOf(own, quantity));
          assert.deepEqual(
            charges.filter((_, n) => n !== place),
            base.filter((_, n) => n !== place),
          );
        },
      ),
    );
  });

  it('with one field keep the others of the base', () => {
    fc.assert(
      fc.property(aPricing('package'), aPricing('package'), (of_base, own) => {
        for (const [name, value] of Object.entries(sentOf(own))) {
          const [charge] = overriddenCharges([aCharge(of_base)], [{ charge: 0, [name]: value }]);
          assert.deepEqual(charge!.pricing, { ...of_base, [name]: value });
        }
      }),
    );
  });

  it('are refused beyond the last place, whatever else there is', () => {
    const base = [aCharge({ pricing_model: 'per_unit', unit_amount: '1' })];
    const faulty: SentOverride[] = [{ charge: 1, unit_amount: '-1' }];
    assert.throws(
      () => overriddenCharges(base, faulty),
      (error: unknown) => {
        assert.ok(error instanceof BillingError);
        assert.deepEqual(
          error.details.map(({ param, reason }) => [param, reason]),
          [['overrides[0].charge', 'out_of_range']],
        );
        return true;
      },
    );
  });
});
