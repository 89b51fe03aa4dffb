import { call } from '../client.ts';
import type { Api } from '../programs.ts';
import type { BilledCustomer } from './customers.ts';
import { FIRST_TIER, NEXT_TIER_CENTS, PLAN } from './day-plan.ts';

const HALF_A_DAY_MS = 43_200_000;

/** Percent and cents of the discounts, cents of the minimum, and cents of a gigabyte by the custom plans. */
const PERCENT = 10;
const OFF_CENTS = 500;
const MINIMUM_CENTS = 5500;
const GIGABYTE_CENTS = 10;
const SEAT_CENTS = 1000;
/** Seats in each half of the day, and desks, which are billed in advance. */
const SEATS = [2, 4] as const;
const DESKS = 3;
/** Usage that no day comes to, so that each is looked at and none is cut. */
const BILL_AT = '100000';

const perOne = { pricing_model: 'flat', flat_amount: inUnits(SEAT_CENTS), quantity: 'subscription' };
const [, REQUESTS, TRANSFERS] = PLAN.charges;
const BASE_PLAN = {
  ...PLAN,
  charges: [
    { ...perOne, event_name: 'seat' },
    { ...perOne, event_name: 'desk', billed: 'in_advance' },
    ...[REQUESTS, TRANSFERS],
  ],
};

/** Creates the plan on which the custom plans are based. */
export function createBasePlan(api: Api): Promise<{ id: string }> {
  return call(api, 'pricing-plans', BASE_PLAN);
}

/**
 * Subscribes a customer to prices of its own in every way: a custom plan with a minimum, a discount of a percent and
 * one of an amount, seats in arrears that change at noon and in advance, and `bill_at`.
 */
export async function subscribeAtOwnPrices(
  api: Api,
  base_plan_id: string,
  { customer_id, start_date }: { customer_id: string; start_date: string },
): Promise<void> {
  await call(api, 'discounts', { customer_id, name: 'Loyalty', percent: `${PERCENT}` });
  await call(api, 'discounts', { customer_id, name: 'Start', amount: inUnits(OFF_CENTS) });
  const { id: plan_id } = await call<{ id: string }>(api, 'pricing-plans', {
    ...{ based_on: base_plan_id, customer_id, minimum_amount: inUnits(MINIMUM_CENTS) },
    overrides: [{ charge: 3, unit_amount: inUnits(GIGABYTE_CENTS) }],
  });
  const quantities = { seat: `${SEATS[0]}`, desk: `${DESKS}` };
  const terms = { plan_id, start_date, quantities, bill_at: BILL_AT };
  const { id } = await call<{ id: string }>(api, 'subscriptions', { customer_id, ...terms });
  const at = new Date(Date.parse(start_date) + HALF_A_DAY_MS).toISOString();
  await call(api, `subscriptions/${id}/quantities`, { quantities: { seat: `${SEATS[1]}` }, at });
}

/**
 * Lines of the invoice that closes the day, in cents: seats and usage of the day, desks of the next one, and period
 * lines of both. The opening has the desks and the amount off of the day.
 */
export function ownCents({ requests, gigabytes, credit }: BilledCustomer): number {
  const charged = requests - credit;
  const first = Math.min(charged, FIRST_TIER.requests);
  const usage = first * FIRST_TIER.cents + (charged - first) * NEXT_TIER_CENTS + gigabytes * GIGABYTE_CENTS;
  const seats = ((SEATS[0] + SEATS[1]) / 2) * SEAT_CENTS;
  // Every price is a multiple of ten cents, so that ten percent have no fraction of a cent.
  const withPercent = (cents: number) => (cents * (100 - PERCENT)) / 100;
  const desks = withPercent(DESKS * SEAT_CENTS);
  const closing = withPercent(seats + usage);
  const lacking = Math.max(0, MINIMUM_CENTS - (desks + closing - OFF_CENTS));
  return closing + lacking + desks - OFF_CENTS;
}

function inUnits(cents: number): string {
  return (cents / 100).toFixed(2);
}
