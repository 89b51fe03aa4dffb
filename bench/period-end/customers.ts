import { call, forEvery } from '../client.ts';
import type { Api } from '../programs.ts';
import { numbersBelow } from '../waiting.ts';

/** A customer with a day of usage and credit. The benchmark computes the expected total itself, in whole cents. */
export type BilledCustomer = {
  external_id: string;
  requests: number;
  gigabytes: number;
  credit: number;
};

const TAX_RATE = 20;
const FLAT_CENTS = 1000;
const FIRST_TIER = { requests: 10, cents: 30 };
const NEXT_TIER_CENTS = 10;
const GIGABYTE_CENTS = 5;
const TRANSFERS = 5;
const EVENTS_A_BATCH = 1000;

const PLAN = {
  name: 'A day of requests and traffic',
  interval: 'day',
  charges: [
    { event_name: 'seat', pricing_model: 'flat', flat_amount: '10.00' },
    {
      event_name: 'request',
      pricing_model: 'graduated',
      tiers: [
        { up_to: `${FIRST_TIER.requests}`, unit_amount: '0.30' },
        { up_to: null, unit_amount: '0.10' },
      ],
    },
    {
      event_name: 'transfer',
      pricing_model: 'per_unit',
      unit_amount: '0.05',
      aggregation: { type: 'sum', property: 'gigabytes' },
    },
  ],
};

/** Total of the invoice in cents. The credit covers requests only, because they come first in the plan and always exceed it. */
export function expectedCents({ requests, gigabytes, credit }: BilledCustomer): number {
  const charged = requests - credit;
  const first = Math.min(charged, FIRST_TIER.requests);
  const request_cents = first * FIRST_TIER.cents + (charged - first) * NEXT_TIER_CENTS;
  const subtotal = FLAT_CENTS + request_cents + gigabytes * GIGABYTE_CENTS;
  // A multiple of five, so that the tax has no fraction of a cent.
  return subtotal + (subtotal * TAX_RATE) / 100;
}

/** Creates the daily plan that `expectedCents` prices. */
export function createPlan(api: Api): Promise<{ id: string }> {
  return call(api, 'pricing-plans', PLAN);
}

/** Creates customers with 17 to 23 events and a grant of 2 to 5 credits each. */
export async function createCustomers(api: Api, prefix: string, count: number): Promise<BilledCustomer[]> {
  const customers = numbersBelow(count).map((number) => ({
    external_id: `${prefix}-${number}`,
    requests: 12 + (number % 7),
    gigabytes: TRANSFERS * (1 + (number % 11)),
    credit: 2 + (number % 4),
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
