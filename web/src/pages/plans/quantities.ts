import type { SentPricing } from '../../api/sent-pricing.ts';

/** The quantities that draw a price curve, rising, and those among them at which something happens to the price. */
export type Sampled = { quantities: string[]; bounds: ReadonlySet<string> };

const SAMPLES = 40;
/** Bounds that are drawn: with two points of each and the samples, the server's 200 are not passed. */
const BOUNDS_MAX = 70;
const PACKAGES = 5;
/** The server takes 15 digits before the point. */
const GREATEST = 1e15 - 1;
/** The amount that a curve with one price for every unit comes to, at least. */
const WORTH_DRAWING = 100;

/** Pattern of a quantity that the server accepts. */
const DECIMAL = /^\d{1,15}(\.\d{1,15})?$/;
const PLAIN = new Intl.NumberFormat('en', {
  useGrouping: false,
  maximumSignificantDigits: 15,
  maximumFractionDigits: 15,
  roundingPriority: 'lessPrecision',
});

/**
 * Chooses the quantities to ask prices for. Which quantities are drawn is ours to choose, so these may be numbers;
 * bounds stay as they are written, and what anything costs is the server's to say.
 */
export function sampled(pricing: SentPricing): Sampled {
  const end = Math.min(GREATEST, endOf(pricing, boundsOf(pricing)));
  const bounds = boundsOf(pricing).slice(0, BOUNDS_MAX);
  const even = Array.from({ length: SAMPLES + 1 }, (_, step) => PLAIN.format((end * step) / SAMPLES));
  // A price may leap right behind a bound, which only a point there shows.
  const behind = bounds.map((bound) => PLAIN.format(Number(bound) + Math.min(1, end / 500)));
  const by_number = new Map([...even, ...behind, ...bounds].map((text) => [Number(text), text]));
  const quantities = [...by_number.keys()]
    .filter((quantity) => quantity <= end)
    .sort((a, b) => a - b)
    .flatMap((quantity) => by_number.get(quantity) ?? []);
  return { quantities, bounds: new Set(bounds) };
}

/** A quantity to begin a calculation with: past the last bound, where all tiers have a part. */
export function exampleQuantity(pricing: SentPricing): string {
  const end = Math.min(GREATEST, endOf(pricing, boundsOf(pricing)));
  const quantity = Number((end * 0.75).toPrecision(2));
  return PLAIN.format(end < 4 ? quantity : Math.ceil(quantity));
}

function boundsOf({ tiers, package_size, free_units }: SentPricing): string[] {
  if (tiers !== undefined) {
    const texts = tiers.flatMap(({ up_to }) => (isPositive(up_to) ? [`${up_to}`] : []));
    return texts.filter((text, place) => place === 0 || Number(text) > Number(texts[place - 1]));
  }
  if (!isPositive(package_size)) return [];
  const free = isPositive(free_units) ? Number(free_units) : 0;
  const ends = Array.from({ length: PACKAGES }, (_, packages) => free + packages * Number(package_size));
  return ends.map((end) => PLAIN.format(end)).filter(isPositive);
}

function isPositive(text: string | null | undefined): boolean {
  return DECIMAL.test(text ?? '') && Number(text) > 0;
}

function endOf(pricing: SentPricing, bounds: readonly string[]): number {
  const { package_size, unit_amount, overage_unit_amount, credits_per_unit = '1' } = pricing;
  const last = Number(bounds.at(-1) ?? 0);
  if (isPositive(package_size)) return last + Number(package_size);
  if (bounds.length > 0) return 2 * last;
  const price = Number(unit_amount ?? Number(overage_unit_amount) * Number(credits_per_unit));
  return price > 0 ? 10 ** Math.max(1, Math.ceil(Math.log10(WORTH_DRAWING / price))) : 1000;
}
