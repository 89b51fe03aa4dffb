import { pathWith } from '../../api/client.ts';
import { everyPage } from '../../api/every-page.ts';
import type { Charge, Invoice, List, Plan, Subscription, UpcomingLineItem } from '../../api/objects.ts';
import { useLoad } from '../../api/use-load.ts';
import type { BillOfLine } from './priced-together.ts';

/**
 * Fetches the charges that the lines of a bill name: of its plan, and of the plan that comes, whose fees in advance it
 * bills.
 */
export function useCharges(
  { plan_id, subscription_id }: BillOfLine,
  lines: readonly UpcomingLineItem[],
): readonly Charge[] {
  const own_charges = useLoad<Plan>(`/v1/pricing-plans/${plan_id}`).value?.charges;
  const isOfComingPlan = ({ type, charge_id }: UpcomingLineItem) =>
    type === 'flat' && own_charges?.every(({ id }) => id !== charge_id) === true;
  const coming_id = usePlanFrom(subscription_id, lines.find(isOfComingPlan)?.period_start ?? null);
  const coming = useLoad<Plan>(coming_id === null ? null : `/v1/pricing-plans/${coming_id}`).value;
  return [...(own_charges ?? []), ...(coming?.charges ?? [])];
}

/**
 * The plan of a subscription from an instant on: that of the invoice of the period that starts then, or the one that
 * holds or will hold.
 */
function usePlanFrom(subscription_id: string, start: string | null): string | null {
  const invoices = useLoad<List<Invoice>>(
    start === null ? null : pathWith('/v1/invoices', { subscription_id, from: start }),
    everyPage,
  ).value;
  const subscription = useLoad<Subscription>(
    start === null ? null : `/v1/subscriptions/${subscription_id}`,
  ).value;
  if (start === null || invoices === null || subscription === null) return null;
  const billed = invoices.data.find(
    ({ period_start, status }) => period_start === start && status !== 'void',
  );
  const { pending_change, plan_id } = subscription;
  const is_to_come = pending_change !== null && pending_change.at <= start;
  return billed?.plan_id ?? (is_to_come ? pending_change.plan_id : plan_id);
}
