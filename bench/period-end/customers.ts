import { call, forEvery } from '../client.ts';
import type { Api } from '../programs.ts';
import { numbersBelow } from '../waiting.ts';
import { FIRST_TIER, FLAT_CENTS, GIGABYTE_CENTS, NEXT_TIER_CENTS, PLAN } from './day-plan.ts';
import { ownCents } from './own-prices.ts';

/** A customer with a day of usage and credit. The benchmark computes the expected total itself, in whole cents. */
export type BilledCustomer = {
  external_id: string;
  requests: number;
  gigabytes: number;
  credit: number;
  /** Whether its prices are its own, see own-prices.ts. */
  has_own_prices: boolean;
};

const TAX_RATE = 20;
const TRANSFERS = 5;
const EVENTS_A_BATCH = 1000;

/** Total of the invoice in cents. The credit covers requests only, because they come first in the plan and always exceed it. */
export function expectedCents(customer: BilledCustomer): number {
  const subtotal = customer.has_own_prices ? ownCents(customer) : planCents(customer);
  // Of whole cents a fifth is never half a cent.
  return subtotal + Math.round((subtotal * TAX_RATE) / 100);
}

function planCents({ requests, gigabytes, credit }: BilledCustomer): number {
  const charged = requests - credit;
  const first = Math.min(charged, FIRST_TIER.requests);
  const request_cents = first * FIRST_TIER.cents + (charged - first) * NEXT_TIER_CENTS;
  return FLAT_CENTS + request_cents + gigabytes * GIGABYTE_CENTS;
}

/** Creates the daily plan that `expectedCents` prices. */
export function createPlan(api: Api): Promise<{ id: string }> {
  return call(api, 'pricing-plans', PLAN);
}

/** Creates customers with 17 to 23 events and a grant of 2 to 5 credits each, of which the first may have own prices. */
export async function createCustomers(
  api: Api,
  prefix: string,
  { count, at_own_prices = 0 }: { count: number; at_own_prices?: number },
): Promise<BilledCustomer[]> {
  const customers = numbersBelow(count).map((number) => ({
    external_id: `${prefix}-${number}`,
    requests: 12 + (number % 7),
    gigabytes: TRANSFERS * (1 + (number % 11)),
    credit: 2 + (number % 4),
    has_own_prices: number < at_own_prices,
  }));
  await forEvery(customers, async ({ external_id, credit }) => {
    await call(api, 'customers', { external_id, tax_rate: `${TAX_RATE}` });
    await call(api, 'credit-grants', { customer_id: external_id, amount: credit, rollover: true });
  });
  const events = customers.flatMap(eventsOf);
  const batches = numbersBelow(Math.ceil(events.length / EVENTS_A_BATCH)).map((number) =>
    events.slice(number * EVENTS_A_BATCH, (number + 1) * EVENTS_A_BATCH),
  );
  await forEvery(batches, (batch) => call(api, 'events/batch', { events: batch }));
  return customers;
}

function eventsOf({ external_id: customer_id, requests, gigabytes }: BilledCustomer): object[] {
  const event = (event_name: string, number: number, properties: object) => {
    const idempotency_key = `${customer_id}-${event_name}-${number}`;
    return { event_name, customer_id, idempotency_key, properties };
  };
  return [
    ...numbersBelow(requests).map((number) => event('request', number, { endpoint: '/v1/search' })),
    ...numbersBelow(TRANSFERS).map((number) =>
      event('transfer', number, { gigabytes: gigabytes / TRANSFERS }),
    ),
  ];
}
