import type { Pricing } from '../../../../src/domain/pricing/definitions.ts';
import { pathWith } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Invoice, List, Plan, UpcomingLineItem } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import { pricingAt } from '../charge-pricing.ts';
import {
  linesBeside,
  pricedTogether,
  type BillOfLine,
  type LineBeside,
  type Together,
} from './priced-together.ts';

type Asked = {
  /**
   * Undefined for a charge of another plan than that of the bill: its plan is then that of the invoice of its period.
   */
  pricing: Pricing | undefined;
  bill: BillOfLine;
};

/** Fetches the invoices that a line was priced together with; null where their figures do not add up to its amount. */
export function useTogether(
  line: UpcomingLineItem,
  { pricing, bill }: Asked,
): { together: Together; pricing: Pricing } | null | 'loading' {
  const { subscription_id } = bill;
  const path = pathWith('/v1/invoices', { subscription_id, from: line.period_start });
  const invoices = useLoad<List<Invoice>>(path, everyPage);
  const beside = linesBeside(line, bill, invoices.value?.data ?? []);
  const plan_id = pricing === undefined ? planOf(beside) : null;
  const plan = useLoad<Plan>(plan_id === null ? null : `/v1/pricing-plans/${plan_id}`);
  const is_waiting = [invoices, plan].some(({ value, fault, is_loading }) => {
    return value === null && fault === null && is_loading;
  });
  if (is_waiting) return 'loading';
  const charge = plan.value?.charges.find(({ id }) => id === line.charge_id);
  const known = pricing ?? (charge && pricingAt(charge, line.price_index));
  const together = known === undefined ? null : pricedTogether(line, bill, { pricing: known, beside });
  return together === null || known === undefined ? null : { together, pricing: known };
}

/** The plan of the period, which bills its charges: that of the invoice that closed it. */
function planOf(beside: readonly LineBeside[]): string | null {
  return beside.find(({ line }) => line.type === 'usage')?.invoice.plan_id ?? null;
}
