import type { SentPricing } from '../../api/sent-pricing.ts';
import { usePrices } from '../../api/use-prices.ts';
import { LineChart } from '../../components/line-chart.tsx';
import { Waiting } from '../../components/loading.tsx';
import { sampled } from './quantities.ts';

type PriceCurveProps = { title: string; pricing: SentPricing; currency: string };

/** Draws the cost of any quantity of a period, or names what a charge that is being written still lacks. */
export function PriceCurve({ title, pricing, currency }: PriceCurveProps) {
  const { quantities, bounds } = sampled(pricing);
  const { prices, fault, is_loading } = usePrices(pricing, currency, quantities);
  if (fault !== null) return <p class="faint">No price curve yet: {plainly(fault.message)}.</p>;
  if (prices === null) return <Waiting />;
  const points = prices.map(({ quantity, amount }) => ({
    x: quantity,
    y: amount,
    is_unmarked: !bounds.has(quantity),
  }));
  return (
    <div class="loaded" aria-busy={is_loading}>
      <LineChart title={title} x_label="units" y_label={currency} points={points} />
    </div>
  );
}

/** A fault of a charge that stands alone names its fields from the charge on. */
export function plainly(message: string): string {
  return message.replaceAll('charge.', '').replace(/\.$/, '');
}
