import { readFileSync } from 'node:fs';

/** A real flight of January to March 2001, moved by whole years. */
export type Flight = {
  customer_id: string;
  destination: string;
  distance: number;
  delay: number;
  timestamp: string;
  idempotency_key: string;
};

/** Airports with fewer flights share a customer: otherwise 130 of them would each be billed for a few flights. */
const OWN_FLIGHTS_MIN = 30;

const FILE = new URL('../../node_modules/vega-datasets/data/flights-5k.json', import.meta.url);

/** The customer of a flight is the airport of departure; small airports with the same first letter are one customer. */
export function flightsOf(year: number): Flight[] {
  const rows: { date: string; delay: number; distance: number; origin: string; destination: string }[] =
    JSON.parse(readFileSync(FILE, 'utf8'));
  const counts = new Map<string, number>();
  for (const { origin } of rows) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  return rows.map(({ date, origin, ...flight }, index) => ({
    ...flight,
    customer_id: counts.get(origin)! < OWN_FLIGHTS_MIN ? `small-${origin[0]}` : origin,
    timestamp: `${year}-${date.slice(5, 7)}-${date.slice(8, 10)}T${date.slice(11)}:00.000Z`,
    idempotency_key: `flight-${year}-${index}`,
  }));
}

/** One plan with three aggregations: count (package), sum of distances (graduated), unique destinations (per unit). */
export const FLIGHTS_PLAN = {
  name: 'Airport',
  interval: 'month',
  charges: [
    {
      event_name: 'flight',
      name: 'Departures',
      pricing_model: 'package',
      package_size: '10',
      package_amount: '5.00',
      free_units: '2',
    },
    {
      event_name: 'flight',
      name: 'Miles',
      pricing_model: 'graduated',
      aggregation: { type: 'sum', property: 'distance' },
      tiers: [
        { up_to: '5000', unit_amount: '0.01' },
        { up_to: '20000', unit_amount: '0.0075', flat_amount: '3.33' },
        { up_to: null, unit_amount: '0.00123' },
      ],
    },
    {
      event_name: 'flight',
      name: 'Destinations',
      pricing_model: 'per_unit',
      aggregation: { type: 'unique', property: 'destination' },
      unit_amount: '1.255',
    },
  ],
} as const;

/** A plan like it, with twice the price of a destination. */
export const DEARER_PLAN = {
  ...FLIGHTS_PLAN,
  charges: [...FLIGHTS_PLAN.charges.slice(0, 2), { ...FLIGHTS_PLAN.charges[2], unit_amount: '2.51' }],
};
