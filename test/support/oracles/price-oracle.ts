import type { Pricing } from '../../../src/domain/pricing/definitions.ts';
import type { PricedUsage } from '../../../src/domain/pricing/price.ts';

/**
 * Prices by billing.md 3, 4 and 11 in rational numbers of BigInt, written from the text. It shares no code with src/domain, so that the
 * two agree only if both are right.
 */
export type Rational = { n: bigint; d: bigint };

export type OraclePrice = {
  billable_quantity: Rational;
  exact_amount: Rational;
  amount: string;
  /** The amount without percents; null where there are none. */
  amount_before: string | null;
  tiers: { quantity: Rational; amount: Rational }[] | null;
};

/** Reads a decimal string exactly. */
export function rational(text: string): Rational {
  const [whole = '', decimals = ''] = text.split('.');
  return { n: BigInt(whole + decimals), d: 10n ** BigInt(decimals.length) };
}

export const plus = (a: Rational, b: Rational): Rational => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });
export const minus = (a: Rational, b: Rational): Rational => plus(a, { n: -b.n, d: b.d });
export const times = (a: Rational, b: Rational): Rational => ({ n: a.n * b.n, d: a.d * b.d });
export const isLess = (a: Rational, b: Rational): boolean => a.n * b.d < b.n * a.d;
export const equals = (a: Rational, b: Rational): boolean => a.n * b.d === b.n * a.d;
export const total = (values: readonly Rational[]): Rational => values.reduce(plus, NOTHING);

export const NOTHING: Rational = { n: 0n, d: 1n };

/** Rounds to exactly `digits` decimals, half away from zero. */
export function rounded({ n, d }: Rational, digits: number): string {
  const units = ((n < 0n ? -n : n) * 10n ** BigInt(digits) * 2n + d) / (d * 2n);
  const text = units.toString().padStart(digits + 1, '0');
  const sign = n < 0n && units > 0n ? '-' : '';
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The units of a quantity that credit can cover (billing.md 4). */
export function oracleCreditable(pricing: Pricing, quantity: string): Rational {
  const q = rational(quantity);
  switch (pricing.pricing_model) {
    case 'flat':
    case 'percentage':
      return NOTHING;
    case 'package':
      return isLess(q, rational(pricing.free_units)) ? NOTHING : minus(q, rational(pricing.free_units));
    case 'credit':
      return times(q, rational(pricing.credits_per_unit));
    case 'per_unit':
    case 'graduated':
    case 'volume':
      return q;
  }
}

/** The price of a quantity after credit; `digits` are the currency's minor digits. */
export function oraclePrice(pricing: Pricing, usage: PricedUsage, digits: number): OraclePrice {
  const gross = rational(usage.quantity);
  const net = minus(oracleCreditable(pricing, usage.quantity), rational(usage.credit));
  const line = (billable_quantity: Rational, before: Rational, tiers: OraclePrice['tiers'] = null) => {
    const exact_amount = usage.percents.reduce(
      (rest, percent) => minus(rest, times(rest, times(rational(percent), { n: 1n, d: 100n }))),
      before,
    );
    return {
      billable_quantity,
      exact_amount,
      amount: rounded(exact_amount, digits),
      amount_before: usage.percents.length > 0 ? rounded(before, digits) : null,
      tiers,
    };
  };
  switch (pricing.pricing_model) {
    case 'flat': {
      const { numerator, denominator } = usage.fraction;
      const part = { n: BigInt(numerator), d: BigInt(denominator) };
      return line({ n: 1n, d: 1n }, times(rational(pricing.flat_amount), part));
    }
    case 'per_unit':
      return line(net, times(net, rational(pricing.unit_amount)));
    case 'package': {
      const size = rational(pricing.package_size);
      const [n, d] = [net.n * size.d, net.d * size.n];
      const packages = { n: n / d + (n % d === 0n ? 0n : 1n), d: 1n };
      return line(net, times(packages, rational(pricing.package_amount)));
    }
    case 'credit':
      return line(net, times(net, rational(pricing.overage_unit_amount)));
    case 'percentage': {
      if (gross.n === 0n) return line(gross, NOTHING);
      const { rate, minimum_amount, maximum_amount } = pricing;
      let amount = times(gross, times(rational(rate), { n: 1n, d: 100n }));
      if (minimum_amount !== null && isLess(amount, rational(minimum_amount)))
        amount = rational(minimum_amount);
      if (maximum_amount !== null && isLess(rational(maximum_amount), amount))
        amount = rational(maximum_amount);
      return line(gross, amount);
    }
    case 'volume': {
      const place = pricing.tiers.findIndex(({ up_to }) => up_to === null || !isLess(rational(up_to), gross));
      const tier = pricing.tiers[place]!;
      const amount = plus(times(net, rational(tier.unit_amount)), rational(tier.flat_amount ?? '0'));
      return line(net, amount, [{ quantity: net, amount }]);
    }
    case 'graduated': {
      const tiers = oracleTiers(pricing.tiers, net);
      return line(net, total(tiers.map(({ amount }) => amount)), tiers);
    }
  }
}

/** Each reached tier: the quantity between its bounds, and its flat. The first tier always counts as reached. */
function oracleTiers(tiers: Extract<Pricing, { pricing_model: 'graduated' }>['tiers'], net: Rational) {
  return tiers.flatMap((tier, place) => {
    const lower = place === 0 ? NOTHING : rational(tiers[place - 1]!.up_to!);
    if (place > 0 && !isLess(lower, net)) return [];
    const ends = tier.up_to !== null && isLess(rational(tier.up_to), net);
    const quantity = minus(ends ? rational(tier.up_to!) : net, lower);
    const amount = plus(times(quantity, rational(tier.unit_amount)), rational(tier.flat_amount ?? '0'));
    return [{ quantity, amount }];
  });
}
